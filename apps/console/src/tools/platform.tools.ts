import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, Toolkit, ToolParam } from 'nestjs-agent';
import type { Application } from '../../../demo/src/applications/application';
import { ApplicationsService } from '../../../demo/src/applications/applications.service';
import { ListApplicationsQuery } from '../../../demo/src/applications/dto/list-applications.query';
import type { User } from '../../../demo/src/auth/user';
import { UsersService } from '../../../demo/src/auth/users.service';
import type { DashboardStats } from '../../../demo/src/dashboard/dashboard-stats';
import { DashboardService } from '../../../demo/src/dashboard/dashboard.service';
import { ListResourcesQuery } from '../../../demo/src/resources/dto/list-resources.query';
import type { Resource } from '../../../demo/src/resources/resource';
import { ResourcesService } from '../../../demo/src/resources/resources.service';
import { ListWorkflowsQuery } from '../../../demo/src/workflows/dto/list-workflows.query';
import type { Workflow } from '../../../demo/src/workflows/workflow';
import { WorkflowsService } from '../../../demo/src/workflows/workflows.service';

/**
 * The web demo's tools for reading, as provider tools: without HTTP there are no routes to call.
 * The services and the DTOs are the same, and so is what each user sees.
 */
@Toolkit({ description: 'The developer platform' })
@Injectable()
export class PlatformTools {
  constructor(
    private readonly users: UsersService,
    private readonly applications: ApplicationsService,
    private readonly workflows: WorkflowsService,
    private readonly resources: ResourcesService,
    private readonly dashboard: DashboardService,
  ) {}

  @Tool({
    name: 'list_applications',
    description: 'List the applications that the user has',
    readOnly: true,
    input: ListApplicationsQuery,
  })
  listApplications(filter: ListApplicationsQuery, context: ToolContext): readonly Application[] {
    return this.applications.list(this.userOf(context), filter);
  }

  @Tool({
    name: 'get_application',
    description: 'Show one application by its name',
    readOnly: true,
  })
  getApplication(
    @ToolParam('name', { description: 'Name of the application', example: 'demo-app' })
    name: string,
    context: ToolContext,
  ): Application {
    return this.applications.get(this.userOf(context), name);
  }

  @Tool({
    name: 'list_workflows',
    description: 'List workflows (deployments, migrations, tests), by status and application',
    readOnly: true,
    input: ListWorkflowsQuery,
  })
  listWorkflows(filter: ListWorkflowsQuery, context: ToolContext): readonly Workflow[] {
    return this.workflows.list(this.userOf(context), filter);
  }

  @Tool({ name: 'get_workflow', description: 'Show one workflow by its number', readOnly: true })
  getWorkflow(
    @ToolParam('id', { description: 'Number of the workflow', example: 103 }) id: number,
    context: ToolContext,
  ): Workflow {
    return this.workflows.get(this.userOf(context), id);
  }

  @Tool({
    name: 'list_resources',
    description: 'List resources (databases, caches, queues, buckets, routes) and their health',
    readOnly: true,
    input: ListResourcesQuery,
  })
  listResources(filter: ListResourcesQuery, context: ToolContext): readonly Resource[] {
    return this.resources.list(this.userOf(context), filter);
  }

  @Tool({
    name: 'get_dashboard_stats',
    description: 'Show the dashboard: statistics and an overview of the whole platform in numbers',
    readOnly: true,
  })
  getDashboardStats(context: ToolContext): DashboardStats {
    return this.dashboard.stats(this.userOf(context));
  }

  private userOf(context: ToolContext): User {
    return this.users.get(context.principal);
  }
}
