import type { ControllerExposure, ScanOptions } from '../discovery';
import type {
  AuditOptions,
  AuditSink,
  BuiltinOptions,
  OfferOptions,
  PermissionOptions,
  Presets,
  RouteOptions,
  ToolDefaultOptions,
  ToolInterceptor,
  ValidationOptions,
} from '../invocation';
import type { PrincipalOf } from '../http/caller';
import type { DisconnectPolicy, UiOptions } from '../http/options';
import type { ChatModel } from '../model';
import type { ToolGroup } from '../registry';
import type {
  AskableAgent,
  RunBudget,
  RunBus,
  RunQueue,
  ShutdownOptions,
  SystemPrompt,
} from '../run';
import type { PluginMetadata } from '../schema';
import type { AgentTelemetry } from '../telemetry';
import type { InstanceOrClass } from './instance-or-class';
import type { LimitOptions } from './limit-options';
import type { SessionOptions } from './session-options';

/**
 * The agent's options, except those of `AgentModuleStaticOptions`: the result of the factory of
 * `AgentModule.forRootAsync`.
 *
 * @example
 * const options: AgentOptions = {
 *   model: openai({ model: 'gpt-4.1' }),
 *   systemPrompt: 'You help the staff of a bookshop.',
 *   permissions: { 'delete_*': 'ask' },
 *   presets: { create_invoice: { currency: 'EUR', author: (ctx) => ctx.principal } },
 * };
 */
export interface AgentOptions extends PermissionOptions, RouteOptions, OfferOptions {
  /** The agent's name, and that of its default model on the OpenAI endpoint; `agent` by default. */
  readonly name?: string;
  /** The agent's purpose, for agents that may ask it; empty by default. */
  readonly description?: string;
  /**
   * The agents that this one may ask, by name or with a tool name of their own; none by default. The
   * model is offered one tool for each, `ask_<name>`.
   */
  readonly agents?: readonly (string | AskableAgent)[];
  /**
   * The model; by default `openai()` where `OPENAI_API_KEY` is set, else the offline model with a
   * warning.
   */
  readonly model?: InstanceOrClass<ChatModel>;
  /**
   * Further models by name, the only names that a request's `model` may choose; none by default.
   */
  readonly models?: Readonly<Record<string, InstanceOrClass<ChatModel>>>;
  /**
   * The system prompt: a text, or a function of the run and its caller, which has 30 s; nothing by
   * default.
   */
  readonly systemPrompt?: SystemPrompt;
  /**
   * Model calls per run; 5 by default. A run that would need more ends with `stopReason:
   * 'max_steps'`.
   */
  readonly maxSteps?: number;
  /** Output tokens per model call; 4 096 by default. */
  readonly maxTokens?: number;
  /**
   * Carries events, stops and browsers' results between processes at once; by default they go through
   * the session store, which takes up to a second.
   */
  readonly bus?: RunBus;
  /**
   * Moves runs to workers; none by default, so that the process of a request executes its run. All
   * agents of the application share it.
   */
  readonly runs?: RunQueue;
  /** Limits of one run; `maxSteps` alone by default. */
  readonly budget?: RunBudget;
  /**
   * The logged-in user's id, from the request; `undefined` for anonymous callers. By default `request.user`'s `id`,
   * `sub` or `userId`, as a string; a user with none of them is an error.
   */
  readonly principal?: PrincipalOf;
  /**
   * The metadata of the compiler plugin's generator, for builds with SWC: the default export of
   * `metadata.ts`. None by default; the plugin of `tsc` and of ts-jest needs none.
   */
  readonly metadata?: PluginMetadata;
  /** Where to look for decorated methods; in all modules by default. */
  readonly scan?: ScanOptions;
  /**
   * Routes of controllers that cannot or will not be decorated; none by default. A class alone
   * exposes all its routes that read.
   */
  readonly exposeControllers?: readonly ControllerExposure[];
  /** Defaults of all tools. */
  readonly tools?: ToolDefaultOptions;
  /** Stages around every executed call, the first one outermost; none by default. */
  readonly toolInterceptors?: readonly InstanceOrClass<ToolInterceptor>[];
  /** Arguments that the model neither sees nor sends, by tool and parameter; none by default. */
  readonly presets?: Presets;
  /** How the arguments of provider tools are validated; a route's own pipes decide for routes. */
  readonly validation?: ValidationOptions;
  /** Instances injected by type into provider tools; none by default. */
  readonly context?: readonly object[];
  /** Groups of tools that are switched on and off together, per session; none by default. */
  readonly groups?: readonly ToolGroup[];
  /** How and how long conversations are stored. */
  readonly sessions?: SessionOptions;
  /**
   * The handling of a run after its client disconnects: `cancel` (the default) stops it; `continue`
   * lets it end, and its events can be read later; `{ graceMs }` stops it unless its events are read
   * again within this time.
   */
  readonly onDisconnect?: DisconnectPolicy;
  /** Limits of tools that run in the caller's browser; `false` refuses such tools. */
  readonly frontendTools?:
    | {
        /** Milliseconds that a stream waits for a result; 30 000 by default. */
        readonly timeoutMs?: number;
        /** Definitions that one request may bring; 64 by default. */
        readonly maxCount?: number;
        /** Bytes of JSON that one definition may have; 16 384 by default. */
        readonly maxBytes?: number;
      }
    | false;
  /**
   * The sink of tool call records, and their content; the logger, with digests of arguments, by
   * default.
   */
  readonly audit?:
    | InstanceOrClass<AuditSink>
    | (AuditOptions & {
        /** Where records go; the logger by default. */
        readonly sink?: InstanceOrClass<AuditSink>;
      });
  /**
   * Hooks around runs, steps, model calls, tool calls and requests to routes, for traces and metrics;
   * none by default.
   */
  readonly telemetry?: InstanceOrClass<AgentTelemetry>;
  /** Limits of requests. */
  readonly limits?: LimitOptions;
  /** The library's own optional tools; none by default. */
  readonly builtins?: BuiltinOptions;
  /** How runs end when the application shuts down. */
  readonly shutdown?: ShutdownOptions;
  /**
   * Whether the model's reasoning is sent in the protocols of the AI SDK, AG-UI and OpenAI; `true` by
   * default.
   */
  readonly sendReasoning?: boolean;
  /** How the chat page authenticates, and its language; by default with a cookie, in English. */
  readonly ui?: UiOptions;
}
