import { Injectable } from '@nestjs/common';
import { Tool, ToolContext } from 'nestjs-agent';
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
 * The developer platform
 *
 * The web demo's tools for reading, as provider tools: without HTTP there are no routes to call.
 * The services and DTOs are the same, so each user sees the same data.
 */
@Injectable()
export class PlatformTools {
  constructor(
    private readonly users: UsersService,
    private readonly applications: ApplicationsService,
    private readonly workflows: WorkflowsService,
    private readonly resources: ResourcesService,
    private readonly dashboard: DashboardService,
  ) {}

  /** List the applications that the user has */
  @Tool({ name: 'list_applications', readOnly: true, input: ListApplicationsQuery })
  listApplications(filter: ListApplicationsQuery, context: ToolContext): readonly Application[] {
    return this.applications.list(this.userOf(context), filter);
  }

  /** Show one application by its name */
  @Tool({ name: 'get_application', readOnly: true })
  getApplication(
    /**
     * Name of the application
     * @example demo-app
     */
    name: string,
    context: ToolContext,
  ): Application {
    return this.applications.get(this.userOf(context), name);
  }

  /** List workflows (deployments, migrations, tests), by status and application */
  @Tool({ name: 'list_workflows', readOnly: true, input: ListWorkflowsQuery })
  listWorkflows(filter: ListWorkflowsQuery, context: ToolContext): readonly Workflow[] {
    return this.workflows.list(this.userOf(context), filter);
  }

  /** Show one workflow by its number */
  @Tool({ name: 'get_workflow', readOnly: true })
  getWorkflow(
    /**
     * Number of the workflow
     * @example 103
     */
    id: number,
    context: ToolContext,
  ): Workflow {
    return this.workflows.get(this.userOf(context), id);
  }

  /** List resources (databases, caches, queues, buckets, routes) and their health */
  @Tool({ name: 'list_resources', readOnly: true, input: ListResourcesQuery })
  listResources(filter: ListResourcesQuery, context: ToolContext): readonly Resource[] {
    return this.resources.list(this.userOf(context), filter);
  }

  /** Show the dashboard: statistics and an overview of the whole platform in numbers */
  @Tool({ name: 'get_dashboard_stats', readOnly: true })
  getDashboardStats(context: ToolContext): DashboardStats {
    return this.dashboard.stats(this.userOf(context));
  }

  private userOf(context: ToolContext): User {
    return this.users.get(context.principal);
  }
}
