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
import type { ObservedQueue } from './observed-queue.interface';
import type { TraceIds } from './trace.interface';

/**
 * Watches what agents do: one method around each thing that lasts, one for moments. Every method is
 * optional.
 *
 * A method around something calls `go` before it returns, and returns what `go` returned. `go` begins
 * the work, in the async context of its caller, and returns a promise of how it ended, which never
 * rejects; a second call begins nothing. Where a method returns or throws without having called `go`,
 * the work begins without it; nothing waits for a method's promise. So no hook can hold a run up. The
 * first failure of each method is logged, and disturbs nothing.
 *
 * No header, cookie or preset value is in what hooks are told, and no argument, message or result
 * unless `seesContent` is set.
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
  /** Around a run, or each of its parts between waits. */
  run?(info: ObservedRun, go: () => Promise<ObservedRunEnd>): unknown;
  /** Around a step, within its run. */
  step?(info: ObservedStep, go: () => Promise<ObservedStepEnd>): unknown;
  /** Around a call of a model, within its step, or wherever `generate` was called. */
  modelCall?(info: ObservedModelCall, go: () => Promise<ObservedModelCallEnd>): unknown;
  /** Around a tool call that runs, within its step; a browser's lasts until its result. */
  toolCall?(info: ObservedToolCall, go: () => Promise<ObservedToolCallEnd>): unknown;
  /** Around a request to a route until its response's head, within its tool call. */
  dispatch?(info: ObservedDispatch, go: () => Promise<ObservedDispatchEnd>): unknown;
  /** Tells of a moment, within what it belongs to. */
  event?(info: ObservedEvent): unknown;
  /** Tells of what is counted, but happens to no call or step. */
  measure?(info: ObservedMeasure): unknown;
  /** Called once at boot of an application with `runs`: the queue is asked only if the hook asks. */
  queue?(queue: ObservedQueue): unknown;
  /**
   * The span that its caller is in. Audit records name it, and a run that goes on after a wait is told
   * where it waited.
   */
  trace?(): TraceIds | undefined;
  /** Whether hooks are told of messages, arguments and results too, as `content`; not by default. */
  readonly seesContent?: boolean;
}
