import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolEmitter } from 'nestjs-agent';
import { ApplicationsService } from '../applications/applications.service';
import { UsersService } from '../auth/users.service';
import type { Resource } from '../resources/resource';
import { ResourcesService } from '../resources/resources.service';

interface HealthReport {
  readonly application: string;
  readonly healthy: boolean;
  readonly degradedResources: readonly string[];
}

/** Checks of running applications */
@Injectable()
export class HealthCheckTools {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly resources: ResourcesService,
    private readonly users: UsersService,
  ) {}

  /** Run a health check of an application, resource by resource */
  @Tool({ name: 'check_health', readOnly: true })
  checkHealth(
    /**
     * Name of the application
     * @example demo-app
     */
    application: string,
    context: ToolContext,
    // A tool that takes a while reports its progress.
    emitter: ToolEmitter,
  ): HealthReport {
    const user = this.users.get(context.principal);
    const { name } = this.applications.get(user, application);
    const degraded: Resource[] = [];
    for (const resource of this.resources.list(user, { application: name })) {
      emitter.emit({ resource: resource.id, health: resource.health });
      if (resource.health === 'degraded') degraded.push(resource);
    }
    return {
      application: name,
      healthy: degraded.length === 0,
      degradedResources: degraded.map(({ id }) => id),
    };
  }
}
