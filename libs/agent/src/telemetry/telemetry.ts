import { Logger } from '@nestjs/common';
import { thrownText } from '../internal';
import { AgentError } from '../tool';
import type { AgentTelemetry, ObservedQueue } from './agent-telemetry.interface';
import type { ObservedOrigin } from './observed.interface';
import type { ObservedEvent } from './observed-event.interface';
import type { ObservedMeasure } from './observed-measure.interface';
import type { TraceIds } from './trace.interface';

type Origin = Omit<ObservedOrigin, 'agent'>;
type Moment = 'event' | 'measure' | 'queue' | 'trace';
type Hook = Exclude<keyof AgentTelemetry, Moment | 'seesContent'>;
/** A hook that receives the agent's name. */
type Told = Hook | 'event' | 'measure';
type HookOf<Name extends Hook> = NonNullable<AgentTelemetry[Name]>;
type InfoOf<Name extends Hook> = Omit<Parameters<HookOf<Name>>[0], 'agent'>;
type EndOf<Name extends Hook> = Awaited<ReturnType<Parameters<HookOf<Name>>[1]>>;

// Distributes over the events and measures.
type WithoutAgent<Event> = Event extends unknown ? Omit<Event, 'agent'> : never;

/** Work to observe; its functions are called only if the hook is set. */
interface Observation<Name extends Hook, T> {
  readonly info: () => InfoOf<Name>;
  /** Begins the work. */
  readonly work: () => Promise<T>;
  readonly end: (result: T) => EndOf<Name>;
  readonly failed: (error: unknown) => EndOf<Name>;
}

/** Calls the application's hooks; a failing hook has no effect on the observed work. */
export class Telemetry {
  private readonly logger = new Logger('AgentTelemetry');
  private readonly failedHooks = new Set<keyof AgentTelemetry>();

  constructor(
    private readonly hooks?: AgentTelemetry,
    private readonly agent = 'agent',
  ) {}

  /** Whether there are any hooks. */
  get isOn(): boolean {
    return this.hooks !== undefined;
  }

  has(hook: keyof AgentTelemetry): boolean {
    return this.hooks?.[hook] !== undefined;
  }

  /** Whether hooks get messages, arguments and results. */
  get seesContent(): boolean {
    return this.hooks?.seesContent === true;
  }

  /** Does the work within its hook, or directly without a hook. */
  around<Name extends Hook, T>(hook: Name, observation: Observation<Name, T>): Promise<T> {
    const { info, work, end, failed } = observation;
    if (this.hooks?.[hook] === undefined) return work();
    let begun: Promise<T> | undefined;
    let ended: Promise<EndOf<Name>> | undefined;
    const go = (): Promise<EndOf<Name>> => {
      begun ??= work();
      ended ??= begun.then(end, failed);
      return ended;
    };
    this.call(hook, info, go);
    return (begun ??= work());
  }

  /** Reports an event. */
  event(event: () => WithoutAgent<ObservedEvent>): void {
    if (this.hooks?.event !== undefined) this.call('event', event);
  }

  /** Reports a measurement. */
  measure(measure: () => WithoutAgent<ObservedMeasure>): void {
    if (this.hooks?.measure !== undefined) this.call('measure', measure);
  }

  /** Passes the queue to its hook. */
  queue(queue: ObservedQueue): void {
    this.tell('queue', () => this.hooks?.queue?.(queue));
  }

  /** The current span of the caller, if it is traced. */
  trace(): TraceIds | undefined {
    return this.attempt('trace', () => this.hooks?.trace?.());
  }

  /** Calls an existing hook. */
  private call(hook: Told, info: () => object, go?: () => Promise<unknown>): void {
    const hooks = this.hooks as Readonly<Record<Told, (info: object, go: unknown) => unknown>>;
    this.tell(hook, () => hooks[hook]({ agent: this.agent, ...info() }, go));
  }

  /** The answer of a hook; `undefined` if it throws. */
  private attempt<T>(hook: keyof AgentTelemetry, ask: () => T): T | undefined {
    try {
      return ask();
    } catch (error) {
      this.hookFailed(hook, error);
      return undefined;
    }
  }

  /** Does not wait for a hook's promise; a rejection is a failure of the hook. */
  private tell(hook: keyof AgentTelemetry, ask: () => unknown): void {
    const returned = this.attempt(hook, ask);
    // Most events return nothing: skips dozens of useless promises per run.
    if (returned === undefined) return;
    Promise.resolve(returned).catch((error: unknown) => this.hookFailed(hook, error));
  }

  private hookFailed(hook: keyof AgentTelemetry, error: unknown): void {
    if (this.failedHooks.has(hook)) return;
    this.failedHooks.add(hook);
    this.logger.error(`The telemetry hook ${hook} failed. (Logged once.)`, thrownText(error));
  }
}

/** The known origin. Called a dozen times per turn, so without the copy of `defined`. */
export function originOf({ runId, sessionId, principal }: Origin): Origin {
  const origin: { -readonly [Name in keyof Origin]: Origin[Name] } = {};
  if (runId !== undefined) origin.runId = runId;
  if (sessionId !== undefined) origin.sessionId = sessionId;
  if (principal !== undefined) origin.principal = principal;
  return origin;
}

/** The end of work that threw. */
export function failedEnd(
  error: unknown,
  signal?: AbortSignal,
): { readonly status: 'failed' | 'cancelled'; readonly errorCode?: string } {
  if (signal?.aborted === true) return { status: 'cancelled' };
  return { status: 'failed', errorCode: errorCodeOf(error) };
}

/** The code of the library's own errors; `internal_error` for any other error. */
export function errorCodeOf(error: unknown): string {
  return error instanceof AgentError ? error.code : 'internal_error';
}
