import { type Context, context, createContextKey, type Span, trace } from '@opentelemetry/api';

/** Counters of a run in progress. */
export interface RunCounts {
  readonly runId: string;
  inferenceCalls: number;
  toolCalls: number;
}

/** A span of the library, which the context carries beside its active span. */
interface OwnSpan {
  readonly span: Span;
  readonly counts?: RunCounts | undefined;
}

const KEY = createContextKey('nestjs-agent');

function own(): OwnSpan | undefined {
  return context.active().getValue(KEY) as OwnSpan | undefined;
}

/** The innermost span of the library around the caller; else the active span. */
export function currentSpan(): Span | undefined {
  return own()?.span ?? trace.getActiveSpan();
}

/** The counts of this run, if the caller runs in it. */
export function countsOf(runId: string | undefined): RunCounts | undefined {
  const counts = own()?.counts;
  return counts !== undefined && counts.runId === runId ? counts : undefined;
}

/** The active context within a span. */
export function inside(span: Span, counts = own()?.counts): Context {
  return trace.setSpan(context.active(), span).setValue(KEY, { span, counts } satisfies OwnSpan);
}
