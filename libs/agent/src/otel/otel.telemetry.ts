import { hasSubscribers } from 'node:diagnostics_channel';
import {
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  TraceFlags,
} from '@opentelemetry/api';
import type {
  AgentTelemetry,
  ObservedDispatch,
  ObservedDispatchEnd,
  ObservedEvent,
  ObservedMeasure,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedQueue,
  ObservedRun,
  ObservedRunEnd,
  ObservedToolCall,
  ObservedToolCallEnd,
  TraceIds,
} from '../telemetry';
import { AgentMetrics } from './agent-metrics';
import { AgentSpans } from './agent-spans';
import { Content } from './content';
import { type Convention, LATEST, V1_41 } from './conventions';
import { CONTENT_EVENT, GEN_AI, OWN } from './names';
import type { OtelOptions } from './otel-options';
import { countsOf, currentSpan, type RunCounts } from './own-span';
import { conventionalProvider } from './known-providers';
import {
  eventAttributes,
  identityOf,
  modelCallAttributes,
  modelCallEndAttributes,
  toolCallAttributes,
  toolCallEndAttributes,
} from './span-attributes';

/** Where undici announces its requests: an instrumentation of undici listens there. */
const UNDICI_REQUESTS = 'undici:request:create';

/** The agent's telemetry hooks as OpenTelemetry's spans and metrics. */
export class OtelTelemetry implements AgentTelemetry {
  readonly seesContent: boolean;
  private readonly convention: Convention;
  private readonly content: Content;
  private readonly spans: AgentSpans;
  private readonly metrics: AgentMetrics | undefined;

  constructor(private readonly options: OtelOptions) {
    const { semconv = 'latest', metrics = true, tracerProvider, meterProvider } = options;
    this.convention = semconv === 'latest' ? LATEST : V1_41;
    this.content = new Content(options);
    this.seesContent = this.content.isCaptured;
    this.spans = new AgentSpans(tracerProvider);
    if (metrics) this.metrics = new AgentMetrics(this.convention, meterProvider);
  }

  run(info: ObservedRun, go: () => Promise<ObservedRunEnd>): Promise<ObservedRunEnd> {
    // Its trace is passed on even if no span is created.
    if (this.isIdle && info.requestedIn === undefined) return go();
    const { agent, runId, model, provider, waitedIn, requestedIn } = info;
    const counts: RunCounts = { runId, inferenceCalls: 0, toolCalls: 0 };
    this.metrics?.runBegan(info);
    return this.spans.around(
      {
        name: `invoke_agent ${agent}`,
        attributes: {
          [GEN_AI.operation]: 'invoke_agent',
          ...identityOf(info, this.options.principal),
          ...(model !== undefined && { [GEN_AI.model]: model }),
          ...(provider !== undefined && { [GEN_AI.provider]: conventionalProvider(provider) }),
        },
        after: waitedIn,
        under: requestedIn,
        counts,
        ended: (span, end, seconds) => {
          const { usage, status, stopReason, steps } = end;
          span.setAttributes({
            [GEN_AI.inputTokens]: usage.inputTokens,
            [GEN_AI.outputTokens]: usage.outputTokens,
            [OWN.status]: status,
            [OWN.stopReason]: stopReason,
            [OWN.steps]: steps,
          });
          this.metrics?.runEnded(info, end, counts, seconds);
        },
      },
      go,
    );
  }

  modelCall(
    info: ObservedModelCall,
    go: () => Promise<ObservedModelCallEnd>,
  ): Promise<ObservedModelCallEnd> {
    if (this.isIdle) return go();
    const counts = countsOf(info.runId);
    if (counts) counts.inferenceCalls += 1;
    return this.spans.around(
      {
        name: `chat ${info.model}`,
        kind: SpanKind.CLIENT,
        attributes: {
          ...identityOf(info, this.options.principal),
          ...modelCallAttributes(info, this.convention),
        },
        ended: (span, end, seconds) => {
          span.setAttributes(modelCallEndAttributes(end, this.convention));
          if (span.isRecording()) this.tellContent(span, info, end);
          this.metrics?.modelCallEnded(info, end, seconds);
        },
      },
      go,
    );
  }

  toolCall(
    info: ObservedToolCall,
    go: () => Promise<ObservedToolCallEnd>,
  ): Promise<ObservedToolCallEnd> {
    if (this.isIdle) return go();
    const counts = countsOf(info.runId);
    if (counts) counts.toolCalls += 1;
    return this.spans.around(
      {
        name: `execute_tool ${info.tool}`,
        attributes: {
          ...identityOf(info, this.options.principal),
          ...toolCallAttributes(info),
        },
        ended: (span, end, seconds) => {
          span.setAttributes(toolCallEndAttributes(end));
          if (this.content.isOnSpans && span.isRecording()) {
            if (info.content) span.setAttributes(this.content.ofArguments(info.content.arguments));
            const { result } = end.content ?? {};
            if (result !== undefined) span.setAttributes(this.content.ofResult(result));
          }
          this.metrics?.toolCallEnded(info, end, seconds);
        },
      },
      go,
    );
  }

  /** Makes the route's own span a child of the tool call's. */
  dispatch(
    { isRemote, headers }: ObservedDispatch,
    go: () => Promise<ObservedDispatchEnd>,
  ): Promise<ObservedDispatchEnd> {
    const isInstrumented = isRemote && hasSubscribers(UNDICI_REQUESTS);
    if (!isInstrumented) propagation.inject(context.active(), headers);
    return go();
  }

  event(event: ObservedEvent): void {
    if (this.isIdle) return;
    currentSpan()?.addEvent(event.type, eventAttributes(event));
    this.metrics?.happened(event);
  }

  measure(measure: ObservedMeasure): void {
    if (!this.isIdle) this.metrics?.measured(measure);
  }

  queue(queue: ObservedQueue): void {
    if (this.metrics?.isOn === true) this.metrics.watchQueue(queue);
  }

  trace(): TraceIds | undefined {
    const ids = currentSpan()?.spanContext();
    if (ids === undefined || !isSpanContextValid(ids)) return undefined;
    const { traceId, spanId, traceFlags } = ids;
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
    return { traceId, spanId, ...(!isSampled && { isSampled }) };
  }

  /** Whether no SDK would receive anything, so that nothing is built. */
  private get isIdle(): boolean {
    return !this.spans.isOn && this.metrics?.isOn !== true;
  }

  private tellContent(span: Span, info: ObservedModelCall, end: ObservedModelCallEnd): void {
    const { content } = this;
    if (!content.isCaptured) return;
    const attributes = content.ofModelCall(info.content, end);
    if (content.isOnSpans) span.setAttributes(attributes);
    if (content.isInEvents) span.addEvent(CONTENT_EVENT, attributes);
  }
}
