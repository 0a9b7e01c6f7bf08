// The options of each layer, from an agent's options and the defaults.
import {
  DEFAULT_SSE,
  defaultPrincipal,
  servedProtocols,
  type AgentHttpOptions,
  type EndpointSettings,
} from './http';
import {
  DEFAULT_TOOL_DEFAULTS,
  type OfferOptions,
  type PermissionOptions,
  type ToolDefaults,
} from './invocation';
import { defined, LONGEST_TIMER_MS } from './internal';
import type { AgentOptions, LimitOptions } from './options';
import { DEFAULT_ATTACHMENTS, type RunOptions } from './run';
import { DEFAULT_COMPACTION } from './session';

const HOUR_MS = 3_600_000;

export function permissionsOf({
  permissions,
  defaultPermission,
}: PermissionOptions): PermissionOptions {
  return defined({ permissions, defaultPermission });
}

export function offerOf({ visible }: AgentOptions): OfferOptions {
  return visible ? { visible } : {};
}

export function toolDefaults({ tools = {} }: AgentOptions): ToolDefaults {
  const { retry, ...others } = tools;
  return {
    ...DEFAULT_TOOL_DEFAULTS,
    ...others,
    retry: { ...DEFAULT_TOOL_DEFAULTS.retry, ...retry },
  };
}

export function runOptions(options: AgentOptions & { readonly agent?: string }): RunOptions {
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
    // Pending actions expire with their session; where sessions stay, after a day.
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

export function httpOptions(
  options: AgentOptions,
  { path, protocols }: Pick<EndpointSettings, 'protocols'> & { readonly path: string },
): AgentHttpOptions {
  return {
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
  };
}

/** A body may be larger by the most bytes of attachments, in base64. */
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
