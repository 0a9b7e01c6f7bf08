import { Logger, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AgentOptions, InstanceOrClass, LimitOptions } from './options';
import { EXPOSED_CONTROLLERS, SCAN_OPTIONS } from './discovery';
import {
  DEFAULT_SSE,
  defaultPrincipal,
  ENDPOINT_SETTINGS,
  HTTP_OPTIONS,
  servedProtocols,
  type AgentHttpOptions,
  type EndpointSettings,
} from './http';
import {
  AUDIT_OPTIONS,
  AUDIT_SINK,
  BUILTIN_OPTIONS,
  CLOSE_WITHIN_MS,
  CONTEXT_INSTANCES,
  DEFAULT_TOOL_DEFAULTS,
  LoggerAuditSink,
  OFFER_OPTIONS,
  PERMISSION_OPTIONS,
  PRESETS,
  PresetRules,
  ROUTE_OPTIONS,
  TOOL_DEFAULTS,
  TOOL_INTERCEPTORS,
  VALIDATION_OPTIONS,
  type AuditSink,
  type PermissionOptions,
  type ToolDefaults,
} from './invocation';
import { offline, openai, type ChatModel } from './model';
import { TOOL_GROUPS } from './registry';
import {
  AGENT_MODEL,
  AGENT_MODELS,
  DEFAULT_ATTACHMENTS,
  RUN_BUS,
  RUN_QUEUE,
  RUN_OPTIONS,
  type RunOptions,
} from './run';
import { defined, LONGEST_TIMER_MS } from './internal';
import { loadPluginMetadata } from './schema';
import { Telemetry, type AgentTelemetry } from './telemetry';
import { DEFAULT_COMPACTION, memoryStore, SESSION_STORE } from './session';

/** The options as `forRoot` was given them, or as the factory of `forRootAsync` answered. */
export const AGENT_OPTIONS = Symbol('nestjs-agent:options');

/** What the compiler plugin's generator wrote, once its classes have it. */
const PLUGIN_METADATA = Symbol('nestjs-agent:plugin-metadata');

const HOUR_MS = 3_600_000;

/** What one agent takes over from the application's own, where its own options say nothing. */
export interface RootAgent {
  readonly options: AgentOptions;
  readonly model: ChatModel;
  readonly models: ReadonlyMap<string, ChatModel>;
  readonly presets: PresetRules;
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

/** What a further agent may inject of the options. */
export const SHARED_OPTIONS = [
  ...ENGINE_OPTION_PROVIDERS.map((provider) => (provider as FactoryProvider).provide),
  ENDPOINT_SETTINGS,
  ROOT_AGENT,
];

/** The options of the layers that each agent has of its own. */
export function agentOptionProviders(path: string): Provider[] {
  return [
    derived(RUN_OPTIONS, runOptions),
    {
      provide: HTTP_OPTIONS,
      inject: [AGENT_OPTIONS, ENDPOINT_SETTINGS],
      useFactory: (options: AgentOptions, { protocols }: EndpointSettings): AgentHttpOptions => ({
        name: options.name ?? 'agent',
        path,
        principal: options.principal ?? defaultPrincipal,
        onDisconnect: options.onDisconnect ?? 'cancel',
        protocols: servedProtocols(protocols),
        sendReasoning: options.sendReasoning ?? true,
        limits: {
          ...bodyLimits(options.limits),
          historyMessages: options.limits?.historyMessages ?? 1_000,
        },
        ...(options.ui && { ui: options.ui }),
        sse: DEFAULT_SSE,
      }),
    },
    derived(OFFER_OPTIONS, ({ visible }) => (visible ? { visible } : {})),
    {
      provide: Telemetry,
      inject: [AGENT_OPTIONS, { token: TELEMETRY_HOOKS, optional: true }],
      useFactory: ({ name }: AgentOptions, hooks?: AgentTelemetry) => new Telemetry(hooks, name),
    },
  ];
}

/** Those that the application's own agent makes, and further agents take over. */
export const ROOT_OPTION_PROVIDERS: Provider[] = [
  derived(PERMISSION_OPTIONS, (options) => [permissionsOf(options)]),
  derived(PRESETS, ({ presets = {} }) => presets),
  instance(AGENT_MODEL, ({ model }) => model ?? defaultModel()),
  {
    provide: AGENT_MODELS,
    inject: [AGENT_OPTIONS, ModuleRef],
    useFactory: ({ models }: AgentOptions, moduleRef: ModuleRef) => modelsOf(models, moduleRef),
  },
  {
    provide: ROOT_AGENT,
    inject: [AGENT_OPTIONS, AGENT_MODEL, AGENT_MODELS, PresetRules],
    useFactory: (
      options: AgentOptions,
      model: ChatModel,
      models: ReadonlyMap<string, ChatModel>,
      presets: PresetRules,
    ): RootAgent => ({ options, model, models, presets }),
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

export function permissionsOf({
  permissions,
  defaultPermission,
}: PermissionOptions): PermissionOptions {
  return defined({ permissions, defaultPermission });
}

function derived(
  provide: symbol,
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

function toolDefaults({ tools = {} }: AgentOptions): ToolDefaults {
  const { retry, ...others } = tools;
  return {
    ...DEFAULT_TOOL_DEFAULTS,
    ...others,
    retry: { ...DEFAULT_TOOL_DEFAULTS.retry, ...retry },
  };
}

function runOptions(options: AgentOptions & { readonly agent?: string }): RunOptions {
  const { sessions = {}, limits = {}, frontendTools = {} } = options;
  const { tokensPerPrincipal, costPerPrincipal } = limits;
  const expireAfterMs = sessions.expireAfterMs ?? HOUR_MS;
  return {
    name: options.name ?? 'agent',
    ...(options.agent !== undefined && { agent: options.agent }),
    description: options.description ?? '',
    agents: (options.agents ?? []).map((each) =>
      typeof each === 'string' ? { name: each } : each,
    ),
    systemPrompt: options.systemPrompt ?? '',
    maxSteps: options.maxSteps ?? 5,
    maxTokens: options.maxTokens ?? 4_096,
    budget: options.budget ?? {},
    messageChars: limits.messageChars ?? 32_000,
    attachments: attachmentsOf(limits),
    modelOptions: limits.modelOptions ?? [],
    runsPerPrincipal: limits.runsPerPrincipal ?? 8,
    queued: limits.queued ?? 10_000,
    queueTimeoutMs: limits.queueTimeoutMs ?? 60_000,
    ...defined({ tokensPerPrincipal, costPerPrincipal }),
    usageKeptMs: Math.max(
      sessions.usageKeptMs ?? 400 * 24 * HOUR_MS,
      tokensPerPrincipal?.windowMs ?? 0,
      costPerPrincipal?.windowMs ?? 0,
    ),
    leaseMs: sessions.leaseMs ?? 15_000,
    isAttendanceKept: typeof options.onDisconnect === 'object',
    drainMs: Math.min(options.shutdown?.drainMs ?? 0, LONGEST_TIMER_MS),
    expireAfterMs,
    sweepEveryMs: sessions.sweepEveryMs ?? HOUR_MS / 6,
    compaction: sessions.compaction !== false && { ...DEFAULT_COMPACTION, ...sessions.compaction },
    // What waits goes with its session; where sessions stay, a day is enough to answer.
    actionTimeoutMs: expireAfterMs === false ? 24 * HOUR_MS : expireAfterMs,
    frontendTools: frontendTools && {
      timeoutMs: frontendTools.timeoutMs ?? 30_000,
      maxCount: frontendTools.maxCount ?? 64,
      maxBytes: frontendTools.maxBytes ?? 16_384,
    },
  };
}

function attachmentsOf({ attachments = {} }: LimitOptions): RunOptions['attachments'] {
  return attachments && { ...DEFAULT_ATTACHMENTS, ...attachments };
}

/** A body with attachments may have as much more as they may, in base64. */
function bodyLimits(
  limits: LimitOptions = {},
): Omit<AgentHttpOptions['limits'], 'historyMessages'> {
  const attachments = attachmentsOf(limits);
  return {
    bodyBytes: limits.bodyBytes ?? 1_048_576,
    attachments,
    attachmentBytes: attachments && attachments.maxCount * Math.ceil(attachments.maxBytes / 3) * 4,
    uiBodyBytes: limits.uiBodyBytes ?? 4_194_304,
  };
}

function defaultModel(): ChatModel {
  if (process.env['OPENAI_API_KEY']) return openai();
  new Logger('AgentModule').warn(
    'No model is configured: the offline model answers, a deterministic stand-in that is no language model. Set "model", or OPENAI_API_KEY.',
  );
  return offline();
}
