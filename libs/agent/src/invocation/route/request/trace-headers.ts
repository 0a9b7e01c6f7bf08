import type { TraceHeaders } from '../../../telemetry';

const NAMES = ['traceparent', 'tracestate', 'baggage'] as const;

/** A valid header value. */
const VALUE = /^[\t\x20-\x7e]+$/;

/** The headers set by a telemetry hook, without invalid ones. */
export function traceHeadersOf(written: TraceHeaders): TraceHeaders {
  const headers: TraceHeaders = {};
  for (const name of NAMES) {
    const value: unknown = written[name];
    if (typeof value === 'string' && VALUE.test(value)) headers[name] = value;
  }
  return headers;
}

/** The headers with the tool call's trace in place of the chat request's. */
export function withTrace<Headers extends object>(headers: Headers, trace: TraceHeaders): Headers {
  if (trace.traceparent === undefined) return headers;
  const names: readonly string[] = NAMES;
  const others = Object.entries(headers).filter(([name]) => !names.includes(name));
  return { ...(Object.fromEntries(others) as Headers), ...trace };
}
