import type { DynamicModule, Provider, Type } from '@nestjs/common';
import {
  type AgentModuleAsyncOptions,
  type AgentModuleOptions,
  type AgentModuleStaticOptions,
  type AgentOptions,
  type AgentOptionsFactory,
  InvalidOptionsError,
} from './options';
import { checkAnswer, checkAsyncOptions, checkModuleOptions } from './options/check';
import { BODY_PARSING } from './agent.module';
import { AGENT_OPTIONS, optionProviders } from './agent.providers';
import { DISCOVERY_PROVIDERS } from './discovery';
import {
  BodyParsing,
  CallerResolver,
  createAgentControllers,
  HTTP_OPTIONS,
  HealthReport,
  HTTP_PROVIDERS,
  RunResponder,
} from './http';
import {
  AUDIT_SINK,
  INVOCATION_PROVIDERS,
  ROUTE_OPTIONS,
  MarkedTools,
  AgentDepth,
  ToolCallFactory,
  ToolLoader,
} from './invocation';
import { ToolRegistry } from './registry';
import {
  AGENT_MODEL,
  AgentHealth,
  AgentService,
  RUN_OPTIONS,
  RUN_PROVIDERS,
  SessionService,
} from './run';
import { SESSION_STORE } from './session';

/** For other modules, also where this one serves no endpoints. */
const ENDPOINT_SERVICES = [BodyParsing, CallerResolver, HealthReport, RunResponder];

/** For other protocols: methods with their own decorators, and the agent's options for requests. */
const PROTOCOL_SERVICES = [MarkedTools, HTTP_OPTIONS, ROUTE_OPTIONS, RUN_OPTIONS];

const EXPORTS = [
  ToolRegistry,
  ToolCallFactory,
  ToolLoader,
  AgentService,
  SessionService,
  AgentHealth,
  AGENT_MODEL,
  SESSION_STORE,
  AUDIT_SINK,
  AgentDepth,
  ...ENDPOINT_SERVICES,
  ...PROTOCOL_SERVICES,
];

/** What `AgentModule.forRoot` answers. @throws InvalidOptionsError */
export function moduleOf(module: Type<unknown>, options: AgentModuleOptions): DynamicModule {
  checkModuleOptions(options);
  return assemble(module, options, [{ provide: AGENT_OPTIONS, useValue: options }]);
}

/** What `AgentModule.forRootAsync` answers. @throws InvalidOptionsError */
export function asyncModuleOf<Dependencies extends unknown[]>(
  module: Type<unknown>,
  options: AgentModuleAsyncOptions<Dependencies>,
): DynamicModule {
  checkAsyncOptions(options);
  return assemble(module, options, sourceOf(options));
}

/** Nest's own `ConfigurableModuleBuilder` has no place for the checks of what is answered. */
function sourceOf<Dependencies extends unknown[]>({
  inject = [],
  useFactory,
  useClass,
  useExisting = useClass,
}: AgentModuleAsyncOptions<Dependencies>): Provider[] {
  if (useExisting === undefined) {
    return [
      {
        provide: AGENT_OPTIONS,
        inject,
        useFactory: async (...dependencies: Dependencies) =>
          checked(await useFactory?.(...dependencies), 'useFactory'),
      },
    ];
  }
  const source: Provider = {
    provide: AGENT_OPTIONS,
    inject: [useExisting],
    useFactory: async (factory: Partial<AgentOptionsFactory>) => {
      if (typeof factory.createAgentOptions === 'function') {
        return checked(await factory.createAgentOptions(), 'createAgentOptions()');
      }
      const option = useClass ? 'useClass' : 'useExisting';
      const problem = `must have a method createAgentOptions(), and ${useExisting.name} has none`;
      throw new InvalidOptionsError([`the class of ${option} ${problem}`]);
    },
  };
  return useClass ? [useClass, source] : [source];
}

function checked(options: AgentOptions | undefined, source: string): AgentOptions | undefined {
  checkAnswer(options, source);
  return options;
}

function assemble(
  module: Type<unknown>,
  options: AgentModuleStaticOptions,
  source: readonly Provider[],
): DynamicModule {
  const { imports = [], isGlobal = true } = options;
  const path = servedPath(options);
  return {
    module,
    global: isGlobal,
    imports: [...imports],
    controllers: path === false ? [] : createAgentControllers({ ...options, path }),
    providers: [
      ...source,
      ...optionProviders(path === false ? '' : path, options.protocols),
      ToolRegistry,
      ...DISCOVERY_PROVIDERS,
      ...INVOCATION_PROVIDERS,
      ...RUN_PROVIDERS,
      ...(path === false ? ENDPOINT_SERVICES : HTTP_PROVIDERS),
      { provide: BODY_PARSING, useExisting: BodyParsing },
    ],
    exports: EXPORTS,
  };
}

/** Without the slashes that Nest does not mind, so that all see the path that is served. */
function servedPath({ path = 'agent' }: AgentModuleStaticOptions): string | false {
  return path !== false && path.split('/').filter(Boolean).join('/');
}
