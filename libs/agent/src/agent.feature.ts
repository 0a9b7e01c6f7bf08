import type { DynamicModule, Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { servedPath, sourceOf } from './agent.assembly';
import {
  AGENT_OPTIONS,
  httpOptionsProvider,
  instantiate,
  modelsOf,
  ROOT_AGENT,
  type RootAgent,
} from './agent.providers';
import { offerOf, permissionsOf, runOptions } from './agent.defaults';
import { getAgentToken, getSessionsToken } from './decorators';
import {
  askedAgentGuards,
  createAgentControllers,
  endpointProviders,
  workbenchProviders,
} from './http';
import { getCallsToken, PresetRules, type OfferOptions } from './invocation';
import type {
  AgentFeatureOptions,
  AgentFeatureStaticOptions,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
  AgentOptions,
} from './options';
import { AGENT_FEATURE_CHECKS } from './options/check';
import {
  AGENT_SETTINGS,
  agentProviders,
  ASKED_GUARDS,
  type AgentSettings,
  type AskedGuards,
} from './run';
import { Telemetry } from './telemetry';

/** Injection token of the agent's own options. */
const FEATURE_OPTIONS = Symbol('nestjs-agent:feature-options');

/** The result of `AgentModule.forFeature`. @throws InvalidOptionsError */
export function featureOf(options: AgentModuleFeatureOptions): DynamicModule {
  AGENT_FEATURE_CHECKS.check(options);
  return assemble(options, [{ provide: FEATURE_OPTIONS, useValue: options }]);
}

/** The result of `AgentModule.forFeatureAsync`. @throws InvalidOptionsError */
export function asyncFeatureOf<Dependencies extends unknown[]>(
  options: AgentModuleFeatureAsyncOptions<Dependencies>,
): DynamicModule {
  AGENT_FEATURE_CHECKS.checkAsync(options);
  return assemble(options, sourceOf(FEATURE_OPTIONS, options, AGENT_FEATURE_CHECKS));
}

function assemble(options: AgentFeatureStaticOptions, source: readonly Provider[]): DynamicModule {
  const { name, imports = [], workbench, ...shape } = options;
  const path = servedPath(options.path ?? name);
  // The public tokens, so that a test that overrides one reaches the endpoints as well.
  const tokens = {
    calls: getCallsToken(name),
    agent: getAgentToken(name),
    sessions: getSessionsToken(name),
  };
  return {
    // A class for each agent: Nest distinguishes modules by their class, among others.
    module: class AgentFeatureModule {},
    global: true,
    imports: [...imports],
    controllers: path === false ? [] : createAgentControllers({ ...shape, path, agent: name }),
    providers: [
      ...source,
      ...ownOptionProviders(name),
      ...agentProviders(tokens),
      ...askedAgentGuards(options.decorators),
      ...(path === false
        ? []
        : [
            httpOptionsProvider(path),
            ...endpointProviders(tokens),
            ...workbenchProviders(tokens, workbench?.evals),
          ]),
    ],
    exports: Object.values(tokens),
  };
}

/** The agent's settings, from its own options and those of the application's agent. */
function ownOptionProviders(name: string): Provider[] {
  return [
    {
      provide: AGENT_OPTIONS,
      inject: [FEATURE_OPTIONS, ROOT_AGENT],
      useFactory: (own: AgentFeatureOptions, { options }: RootAgent) => joined(name, own, options),
    },
    {
      provide: AGENT_SETTINGS,
      inject: [FEATURE_OPTIONS, AGENT_OPTIONS, ROOT_AGENT, ASKED_GUARDS, ModuleRef],
      useFactory: async (
        own: AgentFeatureOptions,
        options: AgentOptions,
        { settings, hooks }: RootAgent,
        guards: AskedGuards,
        moduleRef: ModuleRef,
      ): Promise<AgentSettings> => ({
        run: runOptions(options),
        model: own.model ? await instantiate(own.model, moduleRef) : settings.model,
        models: own.models ? await modelsOf(own.models, moduleRef) : settings.models,
        permissions: [...settings.permissions, permissionsOf(own)],
        presets: new PresetRules(own.presets, settings.presets),
        offer: offerOf(options),
        selection: { ...own.tools, agent: name },
        guards,
        telemetry: new Telemetry(hooks, name),
      }),
    },
  ];
}

/** An option that is left out is the application's own agent's, except the system prompt. */
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
