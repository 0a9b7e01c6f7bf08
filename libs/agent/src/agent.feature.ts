import {
  Inject,
  type DynamicModule,
  type NestModule,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { AGENT, servedPath, sourceOf } from './agent.assembly';
import {
  AGENT_OPTIONS,
  agentOptionProviders,
  instantiate,
  modelsOf,
  permissionsOf,
  ROOT_AGENT,
  type RootAgent,
} from './agent.providers';
import { getAgentToken, getSessionsToken } from './decorators';
import {
  AGENT_HTTP_PROVIDERS,
  applyEndpointSettings,
  askedAgentGuards,
  BodyParsing,
  createAgentControllers,
  ENDPOINT_SETTINGS,
  type EndpointSettings,
  WORKBENCH_PROVIDERS,
} from './http';
import {
  getCallsToken,
  MODULE_PRESETS,
  OWN_CALLS,
  PERMISSION_OPTIONS,
  PRESETS,
  TOOL_SELECTION,
  ToolCallFactory,
  type AgentSelection,
  type OfferOptions,
} from './invocation';
import type {
  AgentFeatureOptions,
  AgentFeatureStaticOptions,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
  AgentOptions,
} from './options';
import { AGENT_FEATURE_CHECKS } from './options/check';
import {
  AGENT_MODELS,
  AgentService,
  OWN_AGENT,
  OWN_MODEL,
  OWN_SESSIONS,
  SessionService,
} from './run';

/** Injection token of the agent's own options. */
const FEATURE_OPTIONS = Symbol('nestjs-agent:feature-options');

/** What `AgentModule.forFeature` answers. @throws InvalidOptionsError */
export function featureOf(options: AgentModuleFeatureOptions): DynamicModule {
  AGENT_FEATURE_CHECKS.check(options);
  return assemble(options, [{ provide: FEATURE_OPTIONS, useValue: options }]);
}

/** What `AgentModule.forFeatureAsync` answers. @throws InvalidOptionsError */
export function asyncFeatureOf<Dependencies extends unknown[]>(
  options: AgentModuleFeatureAsyncOptions<Dependencies>,
): DynamicModule {
  AGENT_FEATURE_CHECKS.checkAsync(options);
  return assemble(options, sourceOf(FEATURE_OPTIONS, options, AGENT_FEATURE_CHECKS));
}

function assemble(options: AgentFeatureStaticOptions, source: readonly Provider[]): DynamicModule {
  const { name, imports = [], ...shape } = options;
  const path = servedPath(options.path ?? name);
  const [agent, sessions] = [getAgentToken(name), getSessionsToken(name)];
  const calls = getCallsToken(name);
  return {
    module: moduleClass(path),
    global: true,
    imports: [...imports],
    controllers: path === false ? [] : createAgentControllers({ ...shape, path, agent: name }),
    providers: [
      ...source,
      ...ownOptionProviders(name),
      ...agentOptionProviders(path || ''),
      ...AGENT,
      ...askedAgentGuards(options.decorators),
      ...(path === false ? [] : [...AGENT_HTTP_PROVIDERS, ...WORKBENCH_PROVIDERS]),
      { provide: calls, useClass: ToolCallFactory },
      { provide: OWN_CALLS, useExisting: calls },
      // Under the public tokens, so that a test that overrides one reaches the endpoints as well.
      { provide: agent, useClass: AgentService },
      { provide: OWN_AGENT, useExisting: agent },
      { provide: sessions, useClass: SessionService },
      { provide: OWN_SESSIONS, useExisting: sessions },
    ],
    exports: [agent, sessions, calls],
  };
}

/** The options of the layers, from the agent's own and those of the application's agent. */
function ownOptionProviders(name: string): Provider[] {
  return [
    {
      provide: AGENT_OPTIONS,
      inject: [FEATURE_OPTIONS, ROOT_AGENT],
      useFactory: (own: AgentFeatureOptions, { options }: RootAgent) => joined(name, own, options),
    },
    {
      provide: TOOL_SELECTION,
      inject: [FEATURE_OPTIONS],
      useFactory: ({ tools }: AgentFeatureOptions): AgentSelection => ({ ...tools, agent: name }),
    },
    {
      provide: PERMISSION_OPTIONS,
      inject: [FEATURE_OPTIONS, ROOT_AGENT],
      useFactory: (own: AgentFeatureOptions, { options }: RootAgent) =>
        [options, own].map(permissionsOf),
    },
    {
      provide: PRESETS,
      inject: [FEATURE_OPTIONS],
      useFactory: ({ presets = {} }: AgentFeatureOptions) => presets,
    },
    {
      provide: MODULE_PRESETS,
      inject: [ROOT_AGENT],
      useFactory: ({ presets }: RootAgent) => presets,
    },
    {
      provide: OWN_MODEL,
      inject: [FEATURE_OPTIONS, ROOT_AGENT, ModuleRef],
      useFactory: ({ model }: AgentFeatureOptions, root: RootAgent, moduleRef: ModuleRef) =>
        model ? instantiate(model, moduleRef) : root.model,
    },
    {
      provide: AGENT_MODELS,
      inject: [FEATURE_OPTIONS, ROOT_AGENT, ModuleRef],
      useFactory: ({ models }: AgentFeatureOptions, root: RootAgent, moduleRef: ModuleRef) =>
        models ? modelsOf(models, moduleRef) : root.models,
    },
  ];
}

/** What an agent does not say is as for the application's own, but for its prompt. */
function joined(
  name: string,
  own: AgentFeatureOptions,
  root: AgentOptions,
): AgentOptions & { readonly agent: string } {
  const given = Object.entries(own).filter(
    ([key, value]) => key !== 'tools' && value !== undefined,
  );
  const said = Object.fromEntries(given);
  const { systemPrompt = '', description = '', agents = [] } = own;
  const visible = both(root.visible, own.visible);
  return {
    ...root,
    ...said,
    ...{ name, agent: name, systemPrompt, description, agents },
    ...(visible && { visible }),
  };
}

function both(
  first: OfferOptions['visible'],
  second: OfferOptions['visible'],
): OfferOptions['visible'] {
  if (!first || !second) return first ?? second;
  return (tool, ctx) => first(tool, ctx) && second(tool, ctx);
}

/** A class for each agent: Nest tells modules apart by their class, among others. */
function moduleClass(path: string | false): Type<unknown> {
  class AgentFeatureModule implements NestModule {
    constructor(
      @Inject(BodyParsing) private readonly bodies: BodyParsing,
      @Inject(ENDPOINT_SETTINGS) private readonly settings: EndpointSettings,
      @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    ) {}

    /** Nest calls it between its own body parsers and the routes. */
    configure(): void {
      const own = [...this.modules.values()].find(
        ({ metatype }) => metatype === AgentFeatureModule,
      );
      if (own) applyEndpointSettings(own.controllers, this.settings);
      if (path !== false) this.bodies.install(path);
    }
  }
  return AgentFeatureModule;
}
