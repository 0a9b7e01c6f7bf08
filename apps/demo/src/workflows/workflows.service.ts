import { Injectable, NotFoundException } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service';
import type { User } from '../auth/user';
import type { Workflow, WorkflowStatus } from './workflow';
import { DEMO_WORKFLOWS } from './workflows.seed';

export interface WorkflowFilter {
  readonly status?: WorkflowStatus;
  readonly application?: string;
}

@Injectable()
export class WorkflowsService {
  private readonly workflows: Workflow[] = [...DEMO_WORKFLOWS];

  constructor(private readonly applications: ApplicationsService) {}

  /** Workflows of the applications that the user sees, the latest first. */
  list(user: User, { status, application }: WorkflowFilter = {}): readonly Workflow[] {
    const visible = new Set(this.applications.list(user).map(({ name }) => name));
    return this.workflows
      .filter(
        (each) =>
          visible.has(each.application) &&
          (status === undefined || each.status === status) &&
          (application === undefined || each.application === application),
      )
      .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  }

  /** @throws NotFoundException where there is no such workflow, or the user may not see it */
  get(user: User, id: number): Workflow {
    const workflow = this.list(user).find((each) => each.id === id);
    if (workflow === undefined) throw new NotFoundException(`There is no workflow ${id}.`);
    return workflow;
  }

  add(workflow: Omit<Workflow, 'id'>): Workflow {
    const added = { id: Math.max(...this.workflows.map(({ id }) => id)) + 1, ...workflow };
    this.workflows.push(added);
    return added;
  }
}
