import type { DynamicModule, InjectionToken, Provider, Type } from '@nestjs/common';
import {
  type AgentModuleAsyncOptions,
  type AgentModuleOptions,
  type AgentModuleStaticOptions,
  type AgentOptionsFactory,
  InvalidOptionsError,
} from './options';
import { ROOT_CHECKS } from './options/check';
import { ENDPOINT_SETUP } from './agent.module';
import {
  AGENT_OPTIONS,
  ENGINE_OPTION_PROVIDERS,
  httpOptionsProvider,
  modelProvider,
  ROOT_OPTION_PROVIDERS,
  SHARED_OPTIONS,
} from './agent.providers';
import { DISCOVERY_PROVIDERS } from './discovery';
import {
  askedAgentGuards,
  createAgentControllers,
  endpointProviders,
  ENDPOINT_SETTINGS,
  EndpointSetup,
  HTTP_OPTIONS,
  HTTP_PROVIDERS,
  servesWorkbench,
  workbenchProviders,
  WorkbenchOffers,
  WORKER_PROVIDERS,
} from './http';
import { CallWatches, INVOCATION_PROVIDERS, ToolCallFactory, ToolCatalog } from './invocation';
import { ToolRegistry } from './registry';
import {
  AGENT_MODEL,
  AgentCalls,
  agentProviders,
  AgentService,
  RUN_OPTIONS,
  RUN_PROVIDERS,
  SessionService,
} from './run';

/** The providers that all agents of the application share; other modules may inject them too. */
const ENGINE: Provider[] = [
  ToolRegistry,
  ...DISCOVERY_PROVIDERS,
  ...INVOCATION_PROVIDERS,
  ...RUN_PROVIDERS,
  ...HTTP_PROVIDERS,
  ...WORKER_PROVIDERS,
];

/** The tokens of the application's own agent: classes. */
const OWN = { calls: ToolCallFactory, agent: AgentService, sessions: SessionService };

/** Further exports of the application's own agent, for other modules and protocols. */
const EXPORTED = [ToolCallFactory, AGENT_MODEL, HTTP_OPTIONS, RUN_OPTIONS];

/** The result of `AgentModule.forRoot`. @throws InvalidOptionsError */
export function moduleOf(module: Type<unknown>, options: AgentModuleOptions): DynamicModule {
  ROOT_CHECKS.check(options);
  return assemble(module, options, [{ provide: AGENT_OPTIONS, useValue: options }]);
}

/** The result of `AgentModule.forRootAsync`. @throws InvalidOptionsError */
export function asyncModuleOf<Dependencies extends unknown[]>(
  module: Type<unknown>,
  options: AgentModuleAsyncOptions<Dependencies>,
): DynamicModule {
  ROOT_CHECKS.checkAsync(options);
  return assemble(module, options, sourceOf(AGENT_OPTIONS, options, ROOT_CHECKS));
}

/** The source of an agent's options: a factory or a class. */
interface OptionsSource<Dependencies extends unknown[]> {
  readonly inject?: AgentModuleAsyncOptions['inject'];
  readonly useFactory?: (...dependencies: Dependencies) => unknown;
  readonly useClass?: Type<object>;
  readonly useExisting?: Type<object>;
}

/** Nest's own `ConfigurableModuleBuilder` has no place for checks of a factory's result. */
export function sourceOf<Dependencies extends unknown[]>(
  token: symbol,
  { inject = [], useFactory, useClass, useExisting = useClass }: OptionsSource<Dependencies>,
  checks: typeof ROOT_CHECKS,
): Provider[] {
  const checked = (answer: unknown, source: string): unknown => {
    checks.checkAnswer(answer, source);
    return answer;
  };
  if (useExisting === undefined) {
    const make = async (...dependencies: Dependencies): Promise<unknown> =>
      checked(await useFactory?.(...dependencies), 'useFactory');
    return [{ provide: token, inject, useFactory: make }];
  }
  const source: Provider = {
    provide: token,
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

function assemble(
  module: Type<unknown>,
  options: AgentModuleStaticOptions,
  source: readonly Provider[],
): DynamicModule {
  const { imports = [], isGlobal = true, agent = true, ...shape } = options;
  const { protocols, version, workbench } = shape;
  const hasWorkbench = servesWorkbench(workbench);
  const evals = typeof workbench === 'object' ? workbench.evals : undefined;
  // A testing module's mocker would mock a missing optional provider, so `undefined` is provided.
  const watches = {
    provide: CallWatches,
    useFactory: () => (hasWorkbench ? new CallWatches() : undefined),
  };
  const engine = [...ENGINE, watches, ...(hasWorkbench ? [WorkbenchOffers] : [])];
  const path = agent && servedPath(options.path ?? 'agent');
  return {
    module,
    global: isGlobal,
    imports: [...imports],
    controllers: path === false ? [] : createAgentControllers({ ...shape, path }),
    providers: [
      ...source,
      ...ENGINE_OPTION_PROVIDERS,
      ...ROOT_OPTION_PROVIDERS,
      modelProvider(path !== false),
      httpOptionsProvider(path || ''),
      { provide: ENDPOINT_SETTINGS, useValue: { protocols, version, workbench } },
      ...engine,
      ...agentProviders(OWN),
      // For tools of other protocols, which are offered by the rules of this agent.
      {
        provide: ToolCatalog,
        inject: [AgentCalls],
        useFactory: ({ catalog }: AgentCalls) => catalog,
      },
      ...askedAgentGuards(options.decorators),
      ...(path === false ? [] : endpointProviders(OWN)),
      ...(path !== false && hasWorkbench ? workbenchProviders(OWN, evals) : []),
      { provide: ENDPOINT_SETUP, useExisting: EndpointSetup },
    ],
    exports: [
      ...[...engine, ...SHARED_OPTIONS].map(tokenOf),
      ...EXPORTED,
      ...(agent ? [AgentService, SessionService] : []),
    ],
  };
}

function tokenOf(provider: Provider | InjectionToken): symbol | Type<unknown> {
  const token = typeof provider === 'object' && 'provide' in provider ? provider.provide : provider;
  return token as symbol | Type<unknown>;
}

/** The path without leading, trailing and double slashes, which Nest ignores. */
export function servedPath(path: string | false): string | false {
  return path !== false && path.split('/').filter(Boolean).join('/');
}
