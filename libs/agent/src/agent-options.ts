import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import type { ExposedController, ScanOptions } from './discovery';
import type {
  AuditOptions,
  AuditSink,
  BuiltinOptions,
  PermissionOptions,
  Presets,
  RouteOptions,
  ToolDefaults,
  ToolInterceptor,
  ValidationOptions,
} from './invocation';
import type { PrincipalOf, UiOptions } from './http';
import type { ChatModel } from './model';
import type { ToolGroup } from './registry';
import type { RunBudget, SystemPrompt } from './run';
import type { CompactionOptions, SessionStore } from './session';
import type { RetryOptions } from './tool';

/** An instance, or a class that Nest makes one of, with what its constructor asks for injected. */
export type InstanceOrClass<T> = T | Type<T>;

/** How conversations are kept. */
export interface SessionOptions {
  /** `memoryStore()` by default. */
  readonly store?: InstanceOrClass<SessionStore>;
  /** Milliseconds after its last use that a session goes; one hour by default, `false` for never. */
  readonly expireAfterMs?: number | false;
  /** Milliseconds between two looks for expired sessions; ten minutes by default. */
  readonly sweepEveryMs?: number;
  /** Milliseconds that a dead process keeps its sessions from others; 15 000 by default. */
  readonly leaseMs?: number;
  /** When long histories are summarised; `false` for never. */
  readonly compaction?: Partial<CompactionOptions> | false;
}

/** Bounds on what callers may send. */
export interface LimitOptions {
  /** Characters of a message; 32 000 by default. */
  readonly messageChars?: number;
  /** Bytes of a request's body; 1 048 576 by default. */
  readonly bodyBytes?: number;
  /** Runs that one principal may have under way; 8 by default. */
  readonly runsPerPrincipal?: number;
  /** Messages that one request of the OpenAI endpoint may bring; 1 000 by default. */
  readonly historyMessages?: number;
}

/** Defaults of all tools; see `@Tool` for a single one's. */
export interface ToolDefaultOptions extends Partial<Omit<ToolDefaults, 'retry'>> {
  /** Single values; what is left out keeps its default. */
  readonly retry?: RetryOptions;
}

/** What shapes the controllers and the module itself: known before anything is injected. */
export interface AgentModuleStaticOptions {
  /** Where the endpoints are served; `agent` by default, `false` serves nothing. */
  readonly path?: string | false;
  /** Modules that hold what the guards of `decorators` need. */
  readonly imports?: ModuleMetadata['imports'];
  /** For every controller of the agent, such as `UseGuards(JwtAuthGuard)`. */
  readonly decorators?: readonly ClassDecorator[];
  /** For the page, the widget and `/health`, which `decorators` do not touch. */
  readonly publicDecorators?: readonly ClassDecorator[];
  /** Whether every module may inject the agent's services; `true` by default. */
  readonly isGlobal?: boolean;
}

/** Everything about the agent that may come from the application's own configuration. */
export interface AgentOptions extends PermissionOptions, RouteOptions {
  /** The agent's name; `agent` by default. */
  readonly name?: string;
  /** Without it `openai()` where `OPENAI_API_KEY` is set, else the offline model with a warning. */
  readonly model?: InstanceOrClass<ChatModel>;
  /** Further models by name, the only names that a request's `model` may choose. */
  readonly models?: Readonly<Record<string, InstanceOrClass<ChatModel>>>;
  /** What the model is told first: a text, or a function of the run's caller. */
  readonly systemPrompt?: SystemPrompt;
  /** Model calls per run; 5 by default. */
  readonly maxSteps?: number;
  /** Output tokens per model call; 4 096 by default. */
  readonly maxTokens?: number;
  /** What one run may consume; unbounded but for `maxSteps` by default. */
  readonly budget?: RunBudget;
  /** Who is logged in; by default `user.id ?? user.sub ?? user.userId` of the request. */
  readonly principal?: PrincipalOf;
  /** Where to look for decorated methods; everywhere by default. */
  readonly scan?: ScanOptions;
  /** Routes of controllers that cannot or will not be decorated. */
  readonly exposeControllers?: readonly ExposedController[];
  /** What every tool follows that says nothing else. */
  readonly tools?: ToolDefaultOptions;
  /** Own stages around every call, the first one outermost. */
  readonly toolInterceptors?: readonly InstanceOrClass<ToolInterceptor>[];
  /** Arguments that the model neither sees nor sends. */
  readonly presets?: Presets;
  /** How the arguments of provider tools are validated; a route's own pipes decide for routes. */
  readonly validation?: ValidationOptions;
  /** Instances injected by type into provider tools. */
  readonly context?: readonly object[];
  /** Tools that are switched on and off together, per session. */
  readonly groups?: readonly ToolGroup[];
  /** How conversations are kept, and for how long. */
  readonly sessions?: SessionOptions;
  /** What becomes of a run whose client goes away; `cancel` by default. */
  readonly onDisconnect?: 'cancel' | 'continue';
  /** Tools that run in the caller's browser; `false` refuses them. */
  readonly frontendTools?:
    | {
        /** Milliseconds that a stream waits for a result; 30 000 by default. */
        readonly timeoutMs?: number;
        /** Definitions per request; 64 by default. */
        readonly maxCount?: number;
        /** Bytes per definition; 16 384 by default. */
        readonly maxBytes?: number;
      }
    | false;
  /** Where records of tool calls go; the logger by default. */
  readonly audit?:
    InstanceOrClass<AuditSink> | (AuditOptions & { readonly sink?: InstanceOrClass<AuditSink> });
  /** Bounds on what callers may send. */
  readonly limits?: LimitOptions;
  /** Tools that the library brings along, off by default. */
  readonly builtins?: BuiltinOptions;
  /** How the chat page learns who is logged in; it needs nothing where a cookie says so. */
  readonly ui?: UiOptions;
}

/** Options of `AgentModule.forRoot`. */
export interface AgentModuleOptions extends AgentOptions, AgentModuleStaticOptions {}

/** Options of `AgentModule.forRootAsync`. */
export interface AgentModuleAsyncOptions<
  Dependencies extends unknown[] = never[],
> extends AgentModuleStaticOptions {
  /** What the factory is given. */
  readonly inject?: DynamicModuleInject;
  /** Makes the options; what shapes the controllers stands beside it. */
  readonly useFactory: (...dependencies: Dependencies) => AgentOptions | Promise<AgentOptions>;
}

type DynamicModuleInject = NonNullable<
  Extract<NonNullable<DynamicModule['providers']>[number], { inject?: unknown }>['inject']
>;
