import type {
  ObservedDispatch,
  ObservedDispatchEnd,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedRun,
  ObservedRunEnd,
  ObservedStep,
  ObservedStepEnd,
  ObservedToolCall,
  ObservedToolCallEnd,
} from './observed.interface';
import type { ObservedEvent } from './observed-event.interface';
import type { ObservedMeasure } from './observed-measure.interface';
import type { TraceIds } from './trace.interface';

/**
 * Hooks for traces and metrics: one method around each kind of work (a run, a step, a call), and one
 * for single events. Every method is optional.
 *
 * A method around work calls `go` before it returns, and returns the promise of `go`. `go` starts the
 * work in the async context of its caller; its promise resolves with the end of the work and never
 * rejects; a second call starts nothing. If a method returns or throws without calling `go`, the work
 * starts without it. The library does not wait for a method's promise, so no hook can delay a run. The
 * first failure of each method is logged and has no other effect.
 *
 * Hooks never get headers, cookies or preset values. They get arguments, messages and results only if
 * `seesContent` is set.
 *
 * @example
 * const telemetry: AgentTelemetry = {
 *   async modelCall({ model, reason, attempt }, go) {
 *     const { status, usage } = await go();
 *     console.log(model, reason, attempt, status, usage?.totalTokens);
 *   },
 *   event: ({ type, runId }) => console.log(type, runId),
 * };
 * AgentModule.forRoot({ telemetry });
 */
export interface AgentTelemetry {
  /** Around a run; a run that waits has one call for each part between waits. */
  run?(info: ObservedRun, go: () => Promise<ObservedRunEnd>): unknown;
  /** Around a step, within its run. */
  step?(info: ObservedStep, go: () => Promise<ObservedStepEnd>): unknown;
  /** Around a model call, within its step, or within the code that called `generate`. */
  modelCall?(info: ObservedModelCall, go: () => Promise<ObservedModelCallEnd>): unknown;
  /** Around an executed tool call, within its step; that of a browser lasts until its result. */
  toolCall?(info: ObservedToolCall, go: () => Promise<ObservedToolCallEnd>): unknown;
  /** Around a request to a route until the head of its response, within its tool call. */
  dispatch?(info: ObservedDispatch, go: () => Promise<ObservedDispatchEnd>): unknown;
  /** Called at an event, within the work that it belongs to. */
  event?(info: ObservedEvent): unknown;
  /** Called with a measurement that belongs to no call or step. */
  measure?(info: ObservedMeasure): unknown;
  /** Called once at boot of an application with `runs`, with access to the queue's length. */
  queue?(queue: ObservedQueue): unknown;
  /**
   * The current span of the caller. Audit records name it, and a run that continues after a wait gets
   * the span in which it began to wait.
   */
  trace?(): TraceIds | undefined;
  /** Whether hooks get messages, arguments and results too, as `content`; `false` by default. */
  readonly seesContent?: boolean;
}

/** The queue of runs, for hooks that query its length. */
export interface ObservedQueue {
  /**
   * The number of runs that wait for a worker, in all processes, including those that were returned
   * with a delay; `undefined` if the queue does not answer within a second.
   */
  depth(): Promise<number | undefined>;
  /** Aborts when this process leaves the queue. */
  readonly closing: AbortSignal;
}
