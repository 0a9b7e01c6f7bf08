import { ConflictException, Injectable } from '@nestjs/common';
import type { Application } from '../applications/application';
import { ApplicationsService } from '../applications/applications.service';
import type { User } from '../auth/user';
import type { Workflow } from '../workflows/workflow';
import { WorkflowsService } from '../workflows/workflows.service';

export interface Deployment {
  readonly application: Application;
  /** The workflow that carried it out. */
  readonly workflow: Workflow;
}

@Injectable()
export class DeploymentsService {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly workflows: WorkflowsService,
  ) {}

  /** @throws ConflictException where that version runs already */
  deploy(user: User, name: string, version: string): Deployment {
    const { version: running, previousVersions, ...rest } = this.applications.get(user, name);
    if (running === version) {
      throw new ConflictException(`Version ${version} of "${name}" is deployed already.`);
    }
    const application: Application = {
      ...rest,
      status: 'healthy',
      version,
      previousVersions: [...previousVersions, running],
    };
    return this.carryOut(`deploy ${name} ${version}`, application);
  }

  /** @throws ConflictException where no version ran before */
  rollBack(user: User, name: string): Deployment {
    const { previousVersions, ...rest } = this.applications.get(user, name);
    const version = previousVersions.at(-1);
    if (version === undefined) {
      throw new ConflictException(`"${name}" has no earlier version to go back to.`);
    }
    const application: Application = {
      ...rest,
      status: 'healthy',
      version,
      previousVersions: previousVersions.slice(0, -1),
    };
    return this.carryOut(`roll back ${name} to ${version}`, application);
  }

  // A real platform would start a pipeline here; this one is done at once.
  private carryOut(name: string, application: Application): Deployment {
    const workflow = this.workflows.add({
      name,
      application: application.name,
      status: 'completed',
      startedAt: new Date().toISOString(),
      durationSeconds: 0,
    });
    return { application: this.applications.update(application), workflow };
  }
}
