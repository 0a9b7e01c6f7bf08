import type { TraceHeaders } from '../../../telemetry';

const NAMES = ['traceparent', 'tracestate', 'baggage'] as const;

/** What a header may hold. */
const VALUE = /^[\t\x20-\x7e]+$/;

/** The headers that a telemetry hook has written, without all that could not be sent. */
export function traceHeadersOf(written: TraceHeaders): TraceHeaders {
  const headers: TraceHeaders = {};
  for (const name of NAMES) {
    const value: unknown = written[name];
    if (typeof value === 'string' && VALUE.test(value)) headers[name] = value;
  }
  return headers;
}
