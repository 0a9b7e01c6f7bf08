import { IsIn, IsOptional, IsString } from 'class-validator';
import { RESOURCE_TYPES, type ResourceType } from '../resource';

export class ListResourcesQuery {
  /**
   * Only resources of this application, by its name
   * @example demo-app
   */
  @IsOptional()
  @IsString()
  application?: string;

  /** Only resources of this type */
  @IsOptional()
  @IsIn(RESOURCE_TYPES)
  type?: ResourceType;
}
