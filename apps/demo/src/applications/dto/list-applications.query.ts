import { IsIn, IsOptional } from 'class-validator';
import { ToolField } from 'nestjs-agent';
import { ENVIRONMENTS, type Environment } from '../application';

export class ListApplicationsQuery {
  @ToolField({ description: 'Only applications of this environment' })
  @IsOptional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment;
}
