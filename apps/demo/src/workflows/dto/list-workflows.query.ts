import { IsIn, IsOptional, IsString } from 'class-validator';
import { WORKFLOW_STATUSES, type WorkflowStatus } from '../workflow';

export class ListWorkflowsQuery {
  /** Only workflows in this state */
  @IsOptional()
  @IsIn(WORKFLOW_STATUSES)
  status?: WorkflowStatus;

  /**
   * Only workflows of this application, by its name
   * @example demo-app
   */
  @IsOptional()
  @IsString()
  application?: string;
}
