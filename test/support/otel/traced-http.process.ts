// An application whose HTTP is traced by the official instrumentation, in a process of its own, since
// that patches `node:http` as it is loaded. Prints the spans of a run with many route calls as JSON,
// and sends them to a collector, if it is given the address of one.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Traced } from './traced';

const [adapter, calls, collector] = process.argv.slice(2);
const exporters = collector ? [new OTLPTraceExporter({ url: `${collector}/v1/traces` })] : [];
const traced = Traced.start(...exporters.map((exporter) => new BatchSpanProcessor(exporter)));
new HttpInstrumentation().enable();

async function main(): Promise<void> {
  const load = createRequire(__filename);
  const { serve } = load('./traced-orders') as typeof import('./traced-orders');
  const { url, close } = await serve(adapter === 'fastify' ? 'fastify' : 'express', Number(calls));
  const response = await fetch(`${url}/agent/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
    body: JSON.stringify({ message: 'all' }),
  });
  const { status } = (await response.json()) as { status: string };
  while (traced.open.size > 0) await new Promise(setImmediate);
  const spans = traced.spans.map((span) => ({
    name: span.name,
    kind: span.kind,
    path: span.attributes['http.target'] ?? span.attributes['url.path'],
    id: span.spanContext().spanId,
    traceId: span.spanContext().traceId,
    parentId: span.parentSpanContext?.spanId,
  }));
  await traced.tracers.forceFlush();
  await close();
  process.stdout.write(JSON.stringify({ status, spans }), () => process.exit());
}

void main();
