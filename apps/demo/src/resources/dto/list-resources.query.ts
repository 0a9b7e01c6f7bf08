import { IsIn, IsOptional, IsString } from 'class-validator';
import { ToolField } from 'nestjs-agent';
import { RESOURCE_TYPES, type ResourceType } from '../resource';

export class ListResourcesQuery {
  @ToolField({
    description: 'Only resources of this application, by its name',
    example: 'demo-app',
  })
  @IsOptional()
  @IsString()
  application?: string;

  @ToolField({ description: 'Only resources of this type' })
  @IsOptional()
  @IsIn(RESOURCE_TYPES)
  type?: ResourceType;
}
