import { IsIn, IsOptional, IsString } from 'class-validator';
import { ToolField } from 'nestjs-agent';
import { WORKFLOW_STATUSES, type WorkflowStatus } from '../workflow';

export class ListWorkflowsQuery {
  @ToolField({ description: 'Only workflows in this state' })
  @IsOptional()
  @IsIn(WORKFLOW_STATUSES)
  status?: WorkflowStatus;

  @ToolField({
    description: 'Only workflows of this application, by its name',
    example: 'demo-app',
  })
  @IsOptional()
  @IsString()
  application?: string;
}
