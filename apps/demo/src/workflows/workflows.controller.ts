import { Controller, Get, Param, ParseIntPipe, Query, UseGuards } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import type { User } from '../auth/user';
import { ListWorkflowsQuery } from './dto/list-workflows.query';
import type { Workflow } from './workflow';
import { WorkflowsService } from './workflows.service';

@Toolkit({ description: 'Deployments and other pipelines, and how they went' })
@Controller('workflows')
@UseGuards(JwtAuthGuard)
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Tool({
    name: 'list_workflows',
    description: 'List workflows (deployments, migrations, tests), by status and application',
  })
  @Get()
  list(@CurrentUser() user: User, @Query() filter: ListWorkflowsQuery): readonly Workflow[] {
    return this.workflows.list(user, filter);
  }

  @Tool({ name: 'get_workflow', description: 'Show one workflow by its number' })
  @Get(':id')
  get(
    @CurrentUser() user: User,
    @Param('id', ParseIntPipe)
    @ToolParam('id', { description: 'Number of the workflow', example: 103 })
    id: number,
  ): Workflow {
    return this.workflows.get(user, id);
  }
}
