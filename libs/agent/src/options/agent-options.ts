import type { ControllerOptions, FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import type { ControllerExposure, ScanOptions } from '../discovery';
import type {
  AuditOptions,
  AuditSink,
  BuiltinOptions,
  OfferOptions,
  PermissionOptions,
  Presets,
  RouteOptions,
  ToolInterceptor,
  ValidationOptions,
} from '../invocation';
import type { PrincipalOf } from '../http/caller';
import type { DisconnectPolicy, UiOptions } from '../http/options';
import type { ChatModel } from '../model';
import type { ToolGroup } from '../registry';
import type {
  AttachmentLimits,
  ModelOptions,
  RunBudget,
  ShutdownOptions,
  SystemPrompt,
  RunBus,
} from '../run';
import type { CompactionOptions, SessionStore } from '../session';
import type { AgentTelemetry } from '../telemetry';
import type { RetryOptions, ToolOffer } from '../tool';

/**
 * An instance, or a class that Nest makes one of, with what its constructor asks for injected. It is
 * made within the agent's module: what it asks for comes from global modules, or from those in
 * `imports`.
 *
 * @typeParam T what it has to be
 */
export type InstanceOrClass<T> = T | Type<T>;

/**
 * How conversations are kept.
 *
 * @example
 * const sessions: SessionOptions = {
 *   store: memoryStore(),
 *   expireAfterMs: 24 * 3_600_000,
 *   compaction: { thresholdTokens: 100_000 },
 * };
 */
export interface SessionOptions {
  /** Where they are kept; `memoryStore()` by default. */
  readonly store?: InstanceOrClass<SessionStore>;
  /**
   * Milliseconds after its last use that a session goes; 3 600 000 (one hour) by default, `false` for
   * never. What a run waits for can be answered for as long; with `false`, for a day.
   */
  readonly expireAfterMs?: number | false;
  /** Milliseconds between two looks for expired sessions; 600 000 (ten minutes) by default. */
  readonly sweepEveryMs?: number;
  /**
   * Milliseconds that a run's right to its session lasts before it has to be renewed, and so that a
   * dead process keeps its sessions from others; 15 000 by default.
   */
  readonly leaseMs?: number;
  /**
   * When and how far long histories are summarised; by default above 64 000 tokens, keeping the last
   * 12 000. `false` for never.
   */
  readonly compaction?: Partial<CompactionOptions> | false;
}

/**
 * Bounds on what callers may send.
 *
 * @example
 * const limits: LimitOptions = { messageChars: 4_000, runsPerPrincipal: 2 };
 */
export interface LimitOptions {
  /** Characters of a message; 32 000 by default. More is refused with 400. */
  readonly messageChars?: number;
  /**
   * Bytes of a request's body, after decompression; 1 048 576 (1 MiB) by default. More is refused
   * with 413.
   */
  readonly bodyBytes?: number;
  /**
   * Bytes of the body of a request that brings a whole conversation, as on the OpenAI endpoint;
   * 4 194 304 (4 MiB) by default. More is refused with 413.
   */
  readonly uiBodyBytes?: number;
  /**
   * Pictures and files that a message may have; `false` for none. A body may have `bodyBytes` besides
   * them. Refused ones are 400 `attachment_refused`, too large ones 413 `attachment_too_large`.
   */
  readonly attachments?: AttachmentLimits | false;
  /** Options of the model that callers may choose; none by default. Others are refused with 400. */
  readonly modelOptions?: readonly (keyof ModelOptions)[];
  /** Runs that one principal may have under way; 8 by default. One more is refused with 429. */
  readonly runsPerPrincipal?: number;
  /**
   * Messages that one request of the OpenAI endpoint may bring; 1 000 by default. More are refused
   * with 400.
   */
  readonly historyMessages?: number;
}

/**
 * What all tools follow that say nothing else; see `ToolOptions` for a single one's.
 *
 * @example
 * const tools: ToolDefaultOptions = { timeoutMs: 10_000, details: 'onDemand' };
 */
export interface ToolDefaultOptions {
  /** Milliseconds that one attempt of a call may take; 30 000 by default. */
  readonly timeoutMs?: number;
  /**
   * How failed calls of read-only and idempotent tools are tried again; a value left out keeps its
   * default.
   */
  readonly retry?: RetryOptions;
  /** Whether calls of one step that are `concurrencySafe` run side by side; `true` by default. */
  readonly parallel?: boolean;
  /** Calls of one step that run at a time; 8 by default. */
  readonly maxConcurrency?: number;
  /**
   * Characters of a result that the model gets to read; 20 000 by default. The rest is cut with a
   * notice.
   */
  readonly maxResultChars?: number;
  /**
   * What the model is given of the tools: `all` (the default) their whole definitions, `onDemand`
   * names and first sentences as far as these are short, and the tools `search_tools` and
   * `tool_detail` to look up the rest.
   */
  readonly details?: 'all' | 'onDemand';
  /**
   * `guarded` asks the guards of every tool before it is offered, as the option of `@Tool` does for
   * one; `always` by default.
   */
  readonly offer?: ToolOffer;
}

/**
 * What shapes the controllers and the module itself: known before anything is injected.
 *
 * @example
 * const options: AgentModuleStaticOptions = {
 *   path: 'assistant',
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 * };
 */
export interface AgentModuleStaticOptions {
  /**
   * The path of the endpoints, below the application's global prefix; `agent` by default. `false`
   * serves nothing.
   */
  readonly path?: string | false;
  /**
   * The version of the endpoints where the application has versions: `'1'`, or a list of several. By
   * default they have none, so that a browser reaches the page whatever kind of versioning there is
   * and whatever its `defaultVersion`.
   */
  readonly version?: ControllerOptions['version'];
  /**
   * Modules that hold what the guards among `decorators` need, and the classes among the options;
   * none by default.
   */
  readonly imports?: ModuleMetadata['imports'];
  /**
   * Class decorators for every controller of the agent, such as `UseGuards(JwtAuthGuard)`; none by
   * default, and a warning at boot where nothing guards the endpoints. Metadata that they set, such
   * as roles, is on each handler too, for guards that read it there. Cast a decorator of your own
   * that is typed for methods: `Auth('admin') as ClassDecorator`.
   */
  readonly decorators?: readonly ClassDecorator[];
  /**
   * Class decorators for the page, the widget and `/health`, which `decorators` do not touch; none
   * by default.
   */
  readonly publicDecorators?: readonly ClassDecorator[];
  /** Whether every module may inject the agent's services; `true` by default. */
  readonly isGlobal?: boolean;
}

/**
 * Everything about the agent that may come from the application's own configuration: what the
 * factory of `AgentModule.forRootAsync` answers.
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
   * What the model is told first: a text, or a function of the run and its caller; nothing by
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
  /** What one run may consume; not bounded, but for `maxSteps`, by default. */
  readonly budget?: RunBudget;
  /**
   * Who is logged in, from the request; `undefined` for nobody. By default `request.user`'s `id`,
   * `sub` or `userId`, as a string; a user with none of them is an error, never nobody.
   */
  readonly principal?: PrincipalOf;
  /** Where to look for decorated methods; in all modules by default. */
  readonly scan?: ScanOptions;
  /**
   * Routes of controllers that cannot or will not be decorated; none by default. A class alone
   * exposes all its routes that read.
   */
  readonly exposeControllers?: readonly ControllerExposure[];
  /** What every tool follows that says nothing else. */
  readonly tools?: ToolDefaultOptions;
  /** Own stages around every executed call, the first one outermost; none by default. */
  readonly toolInterceptors?: readonly InstanceOrClass<ToolInterceptor>[];
  /** Arguments that the model neither sees nor sends, by tool and parameter; none by default. */
  readonly presets?: Presets;
  /** How the arguments of provider tools are validated; a route's own pipes decide for routes. */
  readonly validation?: ValidationOptions;
  /** Instances injected by type into provider tools; none by default. */
  readonly context?: readonly object[];
  /** Groups of tools that are switched on and off together, per session; none by default. */
  readonly groups?: readonly ToolGroup[];
  /** How conversations are kept, and for how long. */
  readonly sessions?: SessionOptions;
  /**
   * What becomes of a run whose client goes away: `cancel` (the default) stops it, `continue` lets it
   * end, and its events can be read again, `{ graceMs }` lets it go on as long as somebody reads them.
   */
  readonly onDisconnect?: DisconnectPolicy;
  /** Bounds on tools that run in the caller's browser; `false` refuses such tools. */
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
   * Where records of tool calls go, and what they hold; the logger, with digests of arguments, by
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
  /** Bounds on what callers may send. */
  readonly limits?: LimitOptions;
  /** Tools that the library brings along; all off by default. */
  readonly builtins?: BuiltinOptions;
  /** How the application's end treats what is under way. */
  readonly shutdown?: ShutdownOptions;
  /** How the chat page learns who is logged in; by default it relies on a cookie. */
  readonly ui?: UiOptions;
}

/**
 * Options of `AgentModule.forRoot`.
 *
 * @example
 * const options: AgentModuleOptions = {
 *   imports: [AuthModule],
 *   decorators: [UseGuards(JwtAuthGuard)],
 *   model: openai(),
 *   maxSteps: 8,
 * };
 */
export interface AgentModuleOptions extends AgentOptions, AgentModuleStaticOptions {}

/**
 * Makes the agent's options: what `useClass` and `useExisting` of `AgentModule.forRootAsync` name.
 *
 * @example
 * \@Injectable()
 * export class AgentSettings implements AgentOptionsFactory {
 *   constructor(private readonly config: Settings) {}
 *
 *   createAgentOptions(): AgentOptions {
 *     return { systemPrompt: this.config.prompt };
 *   }
 * }
 */
export interface AgentOptionsFactory {
  /** The options, but for those that stand beside `useClass` or `useExisting`. */
  createAgentOptions(): AgentOptions | Promise<AgentOptions>;
}

/**
 * Options of `AgentModule.forRootAsync`, with one of `useFactory`, `useClass` and `useExisting`.
 *
 * @typeParam Dependencies the types of what `inject` names, in order
 * @example
 * const options: AgentModuleAsyncOptions<[Settings]> = {
 *   imports: [SettingsModule],
 *   inject: [Settings],
 *   useFactory: (settings) => ({ systemPrompt: settings.prompt }),
 * };
 */
export interface AgentModuleAsyncOptions<
  Dependencies extends unknown[] = never[],
> extends AgentModuleStaticOptions {
  /** The tokens of what the factory is given; nothing by default. */
  readonly inject?: FactoryProvider['inject'];
  /** Makes the options; what shapes the controllers stands beside it. */
  readonly useFactory?: (...dependencies: Dependencies) => AgentOptions | Promise<AgentOptions>;
  /** A class that Nest makes one of, within the agent's module, to make the options. */
  readonly useClass?: Type<AgentOptionsFactory>;
  /** The class of a provider that is there already, to make the options. */
  readonly useExisting?: Type<AgentOptionsFactory>;
}
