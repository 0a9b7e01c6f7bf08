import type { FactoryProvider, InjectionToken, Provider, Type } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import type { AgentOptions, InstanceOrClass } from './options';
import { httpOptions, offerOf, permissionsOf, runOptions, toolDefaults } from './agent.defaults';
import { EXPOSED_CONTROLLERS, SCAN_OPTIONS } from './discovery';
import { ENDPOINT_SETTINGS, HTTP_OPTIONS, type EndpointSettings } from './http';
import {
  AUDIT_OPTIONS,
  AUDIT_SINK,
  BUILTIN_OPTIONS,
  CLOSE_WITHIN_MS,
  CONTEXT_INSTANCES,
  LoggerAuditSink,
  PresetRules,
  ROUTE_OPTIONS,
  TOOL_DEFAULTS,
  TOOL_INTERCEPTORS,
  VALIDATION_OPTIONS,
  type AuditSink,
} from './invocation';
import { defaultModel } from './agent.default-model';
import type { ChatModel } from './model';
import { TOOL_GROUPS } from './registry';
import {
  AGENT_MODEL,
  AGENT_MODELS,
  AGENT_SETTINGS,
  ASKED_GUARDS,
  RUN_BUS,
  RUN_QUEUE,
  RUN_OPTIONS,
  type AgentSettings,
  type AskedGuards,
  type RunOptions,
} from './run';
import { LONGEST_TIMER_MS } from './internal';
import { loadPluginMetadata } from './schema';
import { Telemetry, type AgentTelemetry } from './telemetry';
import { memoryStore, SESSION_STORE } from './session';

/** The options as `forRoot` was given them, or as the factory of `forRootAsync` answered. */
export const AGENT_OPTIONS = Symbol('nestjs-agent:options');

/** The compiler plugin's metadata, once it is attached to its classes. */
const PLUGIN_METADATA = Symbol('nestjs-agent:plugin-metadata');

/** The application's own agent, whose settings are the defaults of further agents. */
export interface RootAgent {
  readonly options: AgentOptions;
  readonly settings: AgentSettings;
  readonly hooks?: AgentTelemetry;
}

/** Injection token of the `RootAgent`. */
export const ROOT_AGENT = Symbol('nestjs-agent:root-agent');
/** Injection token of the `AgentTelemetry` in use; `undefined` for none. */
const TELEMETRY_HOOKS = Symbol('nestjs-agent:telemetry-hooks');

/** The options of the layers that all agents share, derived from the module's in one place. */
export const ENGINE_OPTION_PROVIDERS: Provider[] = [
  derived(SCAN_OPTIONS, ({ scan = {} }) => scan),
  derived(EXPOSED_CONTROLLERS, ({ exposeControllers = [] }) => exposeControllers),
  // Nest waits for it before it initializes a module, so before tools are looked for.
  derived(PLUGIN_METADATA, async ({ metadata }) => {
    if (metadata) await loadPluginMetadata(metadata);
    return metadata ?? null;
  }),
  derived(TOOL_DEFAULTS, toolDefaults),
  derived(CONTEXT_INSTANCES, ({ context = [] }) => context),
  derived(VALIDATION_OPTIONS, ({ validation = {} }) => validation),
  derived(ROUTE_OPTIONS, ({ forwardHeaders, dispatch }) => ({
    ...(forwardHeaders && { forwardHeaders }),
    ...(dispatch && { dispatch }),
  })),
  derived(TOOL_GROUPS, ({ groups = [] }) => groups),
  derived(BUILTIN_OPTIONS, ({ builtins = {} }) => builtins),
  derived(AUDIT_OPTIONS, ({ audit }) => (audit && isAuditSettings(audit) ? audit : {})),
  // First the runs are stored, then store and sink close: each has its half.
  derived(CLOSE_WITHIN_MS, ({ shutdown }) =>
    Math.min((shutdown?.deadlineMs ?? 10_000) / 2, LONGEST_TIMER_MS),
  ),
  derived(RUN_BUS, ({ bus = null }) => bus),
  derived(RUN_QUEUE, ({ runs = null }) => runs),
  instance(SESSION_STORE, ({ sessions }) => sessions?.store ?? memoryStore()),
  instance<AuditSink>(AUDIT_SINK, ({ audit }) => {
    if (audit === undefined) return new LoggerAuditSink();
    return isAuditSettings(audit) ? (audit.sink ?? new LoggerAuditSink()) : audit;
  }),
  {
    provide: TELEMETRY_HOOKS,
    inject: [AGENT_OPTIONS, ModuleRef],
    useFactory: ({ telemetry }: AgentOptions, moduleRef: ModuleRef) =>
      telemetry && instantiate(telemetry, moduleRef),
  },
  {
    provide: TOOL_INTERCEPTORS,
    inject: [AGENT_OPTIONS, ModuleRef],
    useFactory: ({ toolInterceptors = [] }: AgentOptions, moduleRef: ModuleRef) =>
      Promise.all(toolInterceptors.map((each) => instantiate(each, moduleRef))),
  },
];

/** The options that a further agent may inject. */
export const SHARED_OPTIONS = [
  ...ENGINE_OPTION_PROVIDERS.map((provider) => (provider as FactoryProvider).provide),
  ENDPOINT_SETTINGS,
  ROOT_AGENT,
];

/** The `AgentHttpOptions` of an agent with endpoints. */
export function httpOptionsProvider(path: string): Provider {
  return {
    provide: HTTP_OPTIONS,
    inject: [AGENT_OPTIONS, ENDPOINT_SETTINGS],
    useFactory: (options: AgentOptions, { protocols }: EndpointSettings) =>
      httpOptions(options, { path, protocols }),
  };
}

/** The model of the application's own agent. @param isServed whether it has endpoints */
export function modelProvider(isServed: boolean): Provider {
  return {
    provide: AGENT_MODEL,
    inject: [AGENT_OPTIONS, ModuleRef, ModulesContainer],
    useFactory: ({ model }: AgentOptions, moduleRef: ModuleRef, modules: ModulesContainer) =>
      model ? instantiate(model, moduleRef) : defaultModel(isServed, modules),
  };
}

/** The options of the application's own agent, some of which are defaults of further agents. */
export const ROOT_OPTION_PROVIDERS: Provider[] = [
  derived(RUN_OPTIONS, runOptions),
  derived(PresetRules, ({ presets }) => new PresetRules(presets)),
  {
    provide: Telemetry,
    inject: [AGENT_OPTIONS, { token: TELEMETRY_HOOKS, optional: true }],
    useFactory: ({ name }: AgentOptions, hooks?: AgentTelemetry) => new Telemetry(hooks, name),
  },
  {
    provide: AGENT_MODELS,
    inject: [AGENT_OPTIONS, ModuleRef],
    useFactory: ({ models }: AgentOptions, moduleRef: ModuleRef) => modelsOf(models, moduleRef),
  },
  {
    provide: AGENT_SETTINGS,
    inject: [
      AGENT_OPTIONS,
      RUN_OPTIONS,
      AGENT_MODEL,
      AGENT_MODELS,
      PresetRules,
      ASKED_GUARDS,
      Telemetry,
    ],
    useFactory: (
      options: AgentOptions,
      run: RunOptions,
      model: ChatModel,
      models: ReadonlyMap<string, ChatModel>,
      presets: PresetRules,
      guards: AskedGuards,
      telemetry: Telemetry,
    ): AgentSettings => ({
      ...{ run, model, models, presets, guards, telemetry },
      permissions: [permissionsOf(options)],
      offer: offerOf(options),
    }),
  },
  {
    provide: ROOT_AGENT,
    inject: [AGENT_OPTIONS, AGENT_SETTINGS, { token: TELEMETRY_HOOKS, optional: true }],
    useFactory: (
      options: AgentOptions,
      settings: AgentSettings,
      hooks?: AgentTelemetry,
    ): RootAgent => ({ options, settings, ...(hooks && { hooks }) }),
  },
];

/** A model's instance for every name. */
export async function modelsOf(
  models: AgentOptions['models'] = {},
  moduleRef: ModuleRef,
): Promise<ReadonlyMap<string, ChatModel>> {
  const named = Object.entries(models).map(
    async ([name, model]) => [name, await instantiate(model, moduleRef)] as const,
  );
  return new Map(await Promise.all(named));
}

function derived(
  provide: InjectionToken,
  useFactory: (options: AgentOptions) => unknown,
): FactoryProvider<unknown> {
  return { provide, inject: [AGENT_OPTIONS], useFactory };
}

function instance<T extends object>(
  provide: symbol,
  choose: (options: AgentOptions) => InstanceOrClass<T>,
): FactoryProvider<T> {
  return {
    provide,
    inject: [AGENT_OPTIONS, ModuleRef],
    useFactory: (options: AgentOptions, moduleRef: ModuleRef) =>
      instantiate(choose(options), moduleRef),
  };
}

export async function instantiate<T extends object>(
  source: InstanceOrClass<T>,
  moduleRef: ModuleRef,
): Promise<T> {
  return isClass(source) ? moduleRef.create(source) : source;
}

function isClass<T extends object>(source: InstanceOrClass<T>): source is Type<T> {
  return typeof source === 'function';
}

function isAuditSettings(
  audit: NonNullable<AgentOptions['audit']>,
): audit is Exclude<NonNullable<AgentOptions['audit']>, InstanceOrClass<AuditSink>> {
  return typeof audit !== 'function' && !('record' in audit);
}
