import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service';
import type { User } from '../auth/user';
import { ResourcesService } from '../resources/resources.service';
import { WorkflowsService } from '../workflows/workflows.service';
import type { DashboardStats } from './dashboard-stats';

@Injectable()
export class DashboardService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly workflows: WorkflowsService,
    private readonly resources: ResourcesService,
  ) {}

  stats(user: User): DashboardStats {
    const applications = this.applications.list(user);
    return {
      applications: applications.length,
      degradedApplications: applications.filter(({ status }) => status === 'degraded').length,
      runningWorkflows: this.workflows.list(user, { status: 'running' }).length,
      failedWorkflows: this.workflows.list(user, { status: 'failed' }).length,
      resources: this.resources.list(user).length,
    };
  }
}
