import { Logger } from '@nestjs/common';
import { defined, thrownText } from '../internal';
import { AgentError } from '../tool';
import type { AgentTelemetry } from './agent-telemetry.interface';
import type { ObservedOrigin } from './observed.interface';
import type { ObservedEvent } from './observed-event.interface';
import type { ObservedMeasure } from './observed-measure.interface';
import type { ObservedQueue } from './observed-queue.interface';
import type { TraceIds } from './trace.interface';

type Origin = Omit<ObservedOrigin, 'agent'>;
type Moment = 'event' | 'measure' | 'queue' | 'trace';
type Hook = Exclude<keyof AgentTelemetry, Moment | 'seesContent'>;
type HookOf<Name extends Hook> = NonNullable<AgentTelemetry[Name]>;
type InfoOf<Name extends Hook> = Omit<Parameters<HookOf<Name>>[0], 'agent'>;
type EndOf<Name extends Hook> = Awaited<ReturnType<Parameters<HookOf<Name>>[1]>>;

// Distributes over the events and measures.
type WithoutAgent<Event> = Event extends unknown ? Omit<Event, 'agent'> : never;

/** What is observed, where its hook is set. */
interface Observation<Name extends Hook, T> {
  readonly info: () => InfoOf<Name>;
  /** Begins the work. */
  readonly work: () => Promise<T>;
  readonly end: (result: T) => EndOf<Name>;
  readonly failed: (error: unknown) => EndOf<Name>;
}

/** Calls the application's hooks, and lets none of them disturb what they watch. */
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

  /** Whether hooks are told of messages, arguments and results. */
  get seesContent(): boolean {
    return this.hooks?.seesContent === true;
  }

  /** Does the work within its hook; directly where there is none. */
  around<Name extends Hook, T>(hook: Name, observation: Observation<Name, T>): Promise<T> {
    const { info, work, end, failed } = observation;
    const { hooks } = this;
    if (hooks?.[hook] === undefined) return work();
    let begun: Promise<T> | undefined;
    let ended: Promise<EndOf<Name>> | undefined;
    const go = (): Promise<EndOf<Name>> => {
      begun ??= work();
      ended ??= begun.then(end, failed);
      return ended;
    };
    this.call(hook, () => {
      const method = hooks[hook] as (info: object, go: () => Promise<EndOf<Name>>) => unknown;
      return method.call(hooks, { agent: this.agent, ...info() }, go);
    });
    return (begun ??= work());
  }

  /** Tells of a moment. */
  event(event: () => WithoutAgent<ObservedEvent>): void {
    const { hooks } = this;
    if (hooks?.event === undefined) return;
    this.call('event', () => hooks.event?.({ agent: this.agent, ...event() }));
  }

  /** Tells of what is counted. */
  measure(measure: () => WithoutAgent<ObservedMeasure>): void {
    const { hooks } = this;
    if (hooks?.measure === undefined) return;
    this.call('measure', () => hooks.measure?.({ agent: this.agent, ...measure() }));
  }

  /** Tells how to ask for the length of the queue. */
  queue(queue: ObservedQueue): void {
    const { hooks } = this;
    if (hooks?.queue !== undefined) this.call('queue', () => hooks.queue?.(queue));
  }

  /** The span that the caller is in, if it is traced. */
  trace(): TraceIds | undefined {
    try {
      return this.hooks?.trace?.();
    } catch (error) {
      this.hookFailed('trace', error);
      return undefined;
    }
  }

  /** Its promise is not waited for, but what it rejects with is a failure too. */
  private call(hook: keyof AgentTelemetry, call: () => unknown): void {
    try {
      const returned = call();
      // Most moments return nothing: dozens of promises per run that would only cost.
      if (returned === undefined) return;
      Promise.resolve(returned).catch((error: unknown) => this.hookFailed(hook, error));
    } catch (error) {
      this.hookFailed(hook, error);
    }
  }

  private hookFailed(hook: keyof AgentTelemetry, error: unknown): void {
    if (this.failedHooks.has(hook)) return;
    this.failedHooks.add(hook);
    this.logger.error(`The telemetry hook ${hook} failed. (Logged once.)`, thrownText(error));
  }
}

/** Whose work it is, as far as is known. */
export function originOf({ runId, sessionId, principal }: Origin): Origin {
  return defined({ runId, sessionId, principal });
}

/** How something ended that threw. */
export function failedEnd(
  error: unknown,
  signal?: AbortSignal,
): { readonly status: 'failed' | 'cancelled'; readonly errorCode?: string } {
  if (signal?.aborted === true) return { status: 'cancelled' };
  return { status: 'failed', errorCode: errorCodeOf(error) };
}

/** The library's own code; of what is not its own, nothing is told. */
export function errorCodeOf(error: unknown): string {
  return error instanceof AgentError ? error.code : 'internal_error';
}
