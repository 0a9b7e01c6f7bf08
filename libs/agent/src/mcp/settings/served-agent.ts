import type { InjectionToken, OptionalFactoryDependency, Provider } from '@nestjs/common';
import { getAgentToken } from '../../decorators';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../../http';
import { getCallsToken, ToolCallFactory } from '../../invocation';
import { AgentService } from '../../run';
import { InvalidOptionsError } from '../../tool';

/** The `AgentService` whose tools a server serves. */
export const SERVED_AGENT = Symbol('nestjs-agent:mcp-agent');

/** The `ToolCallFactory` of that agent. */
export const SERVED_CALLS = Symbol('nestjs-agent:mcp-calls');

/** @param name the agent; by default the application's own */
export function servedAgentProviders(name: string | undefined): Provider[] {
  return [
    servedProvider(SERVED_AGENT, AgentService, name, name && getAgentToken(name)),
    servedProvider(SERVED_CALLS, ToolCallFactory, name, name && getCallsToken(name)),
  ];
}

/** The application's own agent may be named too. */
function servedProvider(
  provide: symbol,
  root: InjectionToken,
  name: string | undefined,
  token: string | undefined,
): Provider {
  if (token === undefined || token === '') return { provide, useExisting: root };
  const further: OptionalFactoryDependency = { token, optional: true };
  return {
    provide,
    inject: [HTTP_OPTIONS, root, further],
    useFactory: (http: AgentHttpOptions, own: unknown, found: unknown) => {
      if (found !== undefined) return found;
      if (name === http.name) return own;
      throw new InvalidOptionsError(
        [
          `options.agent names an unknown agent "${name}"; add AgentModule.forFeature({ name: '${name}' }), or name "${http.name}"`,
        ],
        'McpServerModule',
      );
    },
  };
}
