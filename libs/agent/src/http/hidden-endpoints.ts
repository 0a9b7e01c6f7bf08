import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RouteShadows, type ServedRoute } from '../discovery';
import { getOrAdd } from '../internal';
import { methodOf } from '../schema';
import { BootReport } from '../tool';
import { servedBy } from './endpoint';

/**
 * Reports at boot the routes of the application that precede the agent's endpoints and match them
 * too, such as an `@All('*path')`.
 */
@Injectable()
export class HiddenEndpoints implements OnApplicationBootstrap {
  constructor(
    private readonly shadows: RouteShadows,
    private readonly report: BootReport,
  ) {}

  onApplicationBootstrap(): void {
    const hidden = new Map<string, string[]>();
    for (const [endpoint, hiding] of this.shadows.among(isEndpoint)) {
      if (!isEndpoint(hiding)) getOrAdd(hidden, nameOf(hiding), () => []).push(nameOf(endpoint));
    }
    for (const [hiding, [first, ...more]] of hidden) {
      const others = more.length > 0 ? ` and ${more.length} more` : '';
      this.report.add(
        "The agent's own endpoints",
        `The route ${hiding} comes first and matches ${first}${others}. Declare it in a module that is imported after AgentModule, not in the application's own, whose routes always come first, or leave the agent's path out of it.`,
      );
    }
  }
}

function isEndpoint({ host, methodName }: ServedRoute): boolean {
  const handler = methodOf(host, methodName);
  return handler !== undefined && servedBy(handler) !== undefined;
}

function nameOf({ method, path }: ServedRoute): string {
  return `${method} ${path}`;
}
