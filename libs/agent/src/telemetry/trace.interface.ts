/** A span, by its ids. */
export interface TraceIds {
  /** The trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span: 16 hexadecimal digits. */
  readonly spanId: string;
  /** `false` if the trace is not recorded; missing if it is. */
  readonly isSampled?: false;
}

/** The headers by which tracing systems continue a trace. */
export interface TraceHeaders {
  /** Of W3C Trace Context. */
  traceparent?: string;
  /** Of W3C Trace Context. */
  tracestate?: string;
  /** Of W3C Baggage. */
  baggage?: string;
}
