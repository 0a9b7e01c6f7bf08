import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolEmitter, Toolkit, ToolParam } from 'nestjs-agent';
import { ApplicationsService } from '../applications/applications.service';
import { UsersService } from '../auth/users.service';
import type { Resource } from '../resources/resource';
import { ResourcesService } from '../resources/resources.service';

interface HealthReport {
  readonly application: string;
  readonly healthy: boolean;
  readonly degradedResources: readonly string[];
}

/** A tool that takes a while reports its progress through `ToolEmitter`. */
@Toolkit({ description: 'Checks of running applications' })
@Injectable()
export class HealthCheckTools {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly resources: ResourcesService,
    private readonly users: UsersService,
  ) {}

  @Tool({
    name: 'check_health',
    description: 'Run a health check of an application, resource by resource',
    readOnly: true,
  })
  checkHealth(
    @ToolParam('application', { description: 'Name of the application', example: 'demo-app' })
    name: string,
    context: ToolContext,
    emitter: ToolEmitter,
  ): HealthReport {
    const user = this.users.get(context.principal);
    const application = this.applications.get(user, name);
    const degraded: Resource[] = [];
    for (const resource of this.resources.list(user, { application: application.name })) {
      emitter.emit({ resource: resource.id, health: resource.health });
      if (resource.health === 'degraded') degraded.push(resource);
    }
    return {
      application: application.name,
      healthy: degraded.length === 0,
      degradedResources: degraded.map(({ id }) => id),
    };
  }
}
