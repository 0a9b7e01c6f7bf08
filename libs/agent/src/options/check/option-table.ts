import type { AgentOptions } from '../agent-options';
import type { AgentFeatureOptions, AgentFeatureStaticOptions } from '../feature-options';
import type { LimitOptions } from '../limit-options';
import type { AgentModuleStaticOptions } from '../module-options';
import type { SessionOptions } from '../session-options';
import type { ScanOptions } from '../../discovery';
import type { UiOptions, WorkbenchOptions } from '../../http/options';
import type {
  BuiltinOptions,
  ToolDefaultOptions,
  ToolSelection,
  ValidationOptions,
} from '../../invocation';
import type {
  AttachmentLimits,
  CostQuota,
  RunBudget,
  ShutdownOptions,
  TokenQuota,
} from '../../run';
import type { CompactionOptions } from '../../session';
import {
  aClass,
  aDecorator as decorator,
  aFunction,
  anObject,
  anything,
  aPath,
  count,
  either,
  falseOr,
  flag,
  instanceOf,
  isClass,
  isFunction,
  listOf,
  notNegative,
  ofKind,
  oneOf,
  optionsOf,
  permission,
  positive,
  recordOf,
  retryOptions,
  text,
  type OptionChecks,
} from '../../checks';
import {
  askedAgent,
  audit,
  exposedController,
  isString,
  languageTag,
  mediaType,
  model,
  onDisconnect,
  prices,
  protocols,
  sessionStore,
  telemetry,
  toolName,
  version,
  workbench,
} from './option-values';

/** The options that stand beside the factory of `forRootAsync`. */
export const STATIC_CHECKS: OptionChecks<AgentModuleStaticOptions> = {
  path: falseOr(aPath),
  version,
  imports: listOf(anything),
  decorators: listOf(decorator),
  publicDecorators: listOf(decorator),
  protocols,
  workbench,
  agent: flag,
  isGlobal: flag,
};

/** The options that a factory may return. Values that are checked elsewhere at boot pass here. */
export const AGENT_CHECKS: OptionChecks<AgentOptions> = {
  name: text,
  description: text,
  agents: listOf(askedAgent),
  model,
  models: recordOf(model),
  systemPrompt: ofKind('a text or a function', (value) => isString(value) || isFunction(value)),
  maxSteps: count,
  maxTokens: count,
  budget: optionsOf<RunBudget>({
    totalTokens: notNegative,
    toolCalls: notNegative,
    durationMs: notNegative,
    cost: optionsOf<NonNullable<RunBudget['cost']>>({
      max: notNegative,
      prices,
    }),
  }),
  principal: aFunction,
  metadata: aFunction,
  scan: optionsOf<ScanOptions>({
    modules: listOf(aClass),
    classes: listOf(aClass),
    exclude: listOf(aClass),
  }),
  visible: aFunction,
  exposeControllers: listOf(either(isClass, exposedController)),
  tools: optionsOf<ToolDefaultOptions>({
    timeoutMs: positive,
    retry: retryOptions,
    parallel: flag,
    maxConcurrency: count,
    maxResultChars: count,
    details: oneOf('all', 'onDemand'),
    offer: oneOf('always', 'guarded'),
  }),
  toolInterceptors: listOf(instanceOf('a ToolInterceptor', 'intercept')),
  permissions: recordOf(permission),
  defaultPermission: permission,
  presets: recordOf(recordOf(anything)),
  validation: optionsOf<ValidationOptions>({ groups: listOf(text) }),
  context: listOf(anObject),
  groups: listOf(anObject),
  forwardHeaders: listOf(
    ofKind('a name or a RegExp', (value) => isString(value) || value instanceof RegExp),
  ),
  dispatch: either(
    (value) => value === 'in-process',
    optionsOf({ baseUrl: ofKind('an address', isString) }),
  ),
  bus: instanceOf('a RunBus', 'follow'),
  runs: instanceOf(
    'a RunQueue',
    ...['open', 'start', 'add', 'missing', 'remove', 'size', 'drain', 'close'],
  ),
  sessions: optionsOf<SessionOptions>({
    store: sessionStore,
    expireAfterMs: falseOr(notNegative),
    sweepEveryMs: positive,
    leaseMs: positive,
    usageKeptMs: positive,
    compaction: falseOr(
      optionsOf<CompactionOptions>({
        thresholdTokens: notNegative,
        keepRecentTokens: notNegative,
        keepOriginals: flag,
      }),
    ),
  }),
  onDisconnect,
  frontendTools: falseOr(
    optionsOf({ timeoutMs: positive, maxCount: notNegative, maxBytes: notNegative }),
  ),
  audit,
  telemetry,
  limits: optionsOf<LimitOptions>({
    messageChars: count,
    bodyBytes: count,
    uiBodyBytes: count,
    attachments: falseOr(
      optionsOf<AttachmentLimits>({
        maxCount: count,
        maxBytes: count,
        mediaTypes: listOf(mediaType),
      }),
    ),
    modelOptions: listOf(oneOf('temperature', 'topP', 'reasoningEffort')),
    runsPerPrincipal: count,
    queued: count,
    queueTimeoutMs: positive,
    tokensPerPrincipal: optionsOf<TokenQuota>({ tokens: notNegative, windowMs: positive }),
    costPerPrincipal: optionsOf<CostQuota>({ max: notNegative, windowMs: positive, prices }),
    historyMessages: count,
  }),
  shutdown: optionsOf<ShutdownOptions>({ drainMs: notNegative, deadlineMs: positive }),
  builtins: optionsOf<BuiltinOptions>({ diagnostics: flag }),
  sendReasoning: flag,
  ui: optionsOf<UiOptions>({ loginUrl: text, headersKey: text, script: text, lang: languageTag }),
};

/** The options that stand beside the factory of `forFeatureAsync`. */
export const FEATURE_STATIC_CHECKS: OptionChecks<AgentFeatureStaticOptions> = {
  name: toolName,
  path: STATIC_CHECKS.path,
  imports: STATIC_CHECKS.imports,
  decorators: STATIC_CHECKS.decorators,
  publicDecorators: STATIC_CHECKS.publicDecorators,
  workbench: optionsOf<Pick<WorkbenchOptions, 'evals'>>({ evals: text }),
};

/** The options that a further agent's factory may return. */
export const FEATURE_CHECKS: OptionChecks<AgentFeatureOptions> = {
  description: AGENT_CHECKS.description,
  agents: AGENT_CHECKS.agents,
  model: AGENT_CHECKS.model,
  models: AGENT_CHECKS.models,
  systemPrompt: AGENT_CHECKS.systemPrompt,
  maxSteps: AGENT_CHECKS.maxSteps,
  maxTokens: AGENT_CHECKS.maxTokens,
  budget: AGENT_CHECKS.budget,
  ui: AGENT_CHECKS.ui,
  tools: optionsOf<ToolSelection>({ include: listOf(text), exclude: listOf(text) }),
  permissions: AGENT_CHECKS.permissions,
  defaultPermission: AGENT_CHECKS.defaultPermission,
  presets: AGENT_CHECKS.presets,
  visible: AGENT_CHECKS.visible,
};
