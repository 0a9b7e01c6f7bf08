import { Controller, Get, Param, ParseIntPipe, Query, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import type { User } from '../auth/user';
import { ListWorkflowsQuery } from './dto/list-workflows.query';
import type { Workflow } from './workflow';
import { WorkflowsService } from './workflows.service';

/** Deployments and other pipelines, and how they went */
@Controller('workflows')
@UseGuards(JwtAuthGuard)
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  /** List workflows (deployments, migrations, tests), by status and application */
  @Tool({ name: 'list_workflows' })
  @Get()
  list(@CurrentUser() user: User, @Query() filter: ListWorkflowsQuery): readonly Workflow[] {
    return this.workflows.list(user, filter);
  }

  /** Show one workflow by its number */
  @Tool({ name: 'get_workflow' })
  @Get(':id')
  get(
    @CurrentUser() user: User,
    /**
     * Number of the workflow
     * @example 103
     */
    @Param('id', ParseIntPipe)
    id: number,
  ): Workflow {
    return this.workflows.get(user, id);
  }
}
