import { IsIn, IsOptional } from 'class-validator';
import { ENVIRONMENTS, type Environment } from '../application';

export class ListApplicationsQuery {
  /** Only applications of this environment */
  @IsOptional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment;
}
