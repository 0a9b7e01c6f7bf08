import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';

/**
 * Makes a SERVER span of every request that an HTTP server emits, as an instrumentation of `node:http`
 * does, which cannot reach into a test's modules. Returns a function that ends it.
 */
export function traceServers(): () => void {
  const emit = Server.prototype.emit;
  const original = emit as (...args: unknown[]) => boolean;
  Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]) {
    if (event !== 'request') return original.call(this, event, ...values);
    const [request, response] = values as [IncomingMessage, ServerResponse];
    const parent = propagation.extract(context.active(), request.headers);
    const name = `${request.method} ${(request.url ?? '').split('?')[0]}`;
    const span = trace.getTracer('http').startSpan(name, { kind: SpanKind.SERVER }, parent);
    response.once('close', () => span.end());
    return context.with(trace.setSpan(parent, span), () => original.call(this, event, ...values));
  } as typeof emit;
  return () => void (Server.prototype.emit = emit);
}
