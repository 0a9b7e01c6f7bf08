import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { promisify } from 'node:util';
import { SpanKind } from '@opentelemetry/api';
import { type AdapterName, ADAPTERS } from './http/agent-app';

const HOOK = join(__dirname, 'support/typescript-hook.cjs');
const SCRIPT = join(__dirname, 'support/otel/traced-http.process.ts');
const CALLS = 500;

/** The parts of an OTLP request that the tests read. */
interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly {
        readonly name: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly kind: number;
        readonly attributes: readonly {
          readonly key: string;
          readonly value: Readonly<Record<string, unknown>>;
        }[];
      }[];
    }[];
  }[];
}

interface PrintedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly path?: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId?: string;
}

async function spansOf(
  adapter: AdapterName,
  calls: number,
  ...collector: readonly string[]
): Promise<{ readonly status: string; readonly spans: readonly PrintedSpan[] }> {
  const args = ['--require', HOOK, SCRIPT, adapter, String(calls), ...collector];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as { status: string; spans: readonly PrintedSpan[] };
}

describe.each(ADAPTERS)('the official instrumentation of node:http, on %s', (adapter) => {
  it(`sees exactly one request under each of ${CALLS} route calls`, async () => {
    const { status, spans } = await spansOf(adapter, CALLS);
    expect(status).toBe('completed');
    const calls = new Set(
      spans.filter(({ name }) => name === 'execute_tool get_order').map(({ id }) => id),
    );
    expect(calls.size).toBe(CALLS);
    const requests = spans.filter(({ path = '' }) => path.startsWith('/orders/'));
    expect(requests).toHaveLength(CALLS);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(CALLS);
    expect(requests.every(({ kind }) => kind === SpanKind.SERVER)).toBe(true);
    expect(new Set(requests.map(({ parentId }) => parentId))).toEqual(calls);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const theirs = spans.filter(({ kind }) => kind === SpanKind.SERVER);
    expect(theirs).toHaveLength(CALLS + 1);
  });
});

describe('the official exporter', () => {
  let collector: Server;
  const received: Sent[] = [];
  beforeAll(async () => {
    collector = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const isZipped = incoming.headers['content-encoding'] === 'gzip';
        received.push(JSON.parse((isZipped ? gunzipSync(body) : body).toString()) as Sent);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void collector.close().closeAllConnections());

  it('brings a whole trace to a collector', async () => {
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const { spans } = await spansOf('express', 1, url);
    const arrived = received
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ scope, spans: ofScope }) => ofScope.map((span) => ({ scope, ...span })));
    const ours = arrived.filter(({ scope }) => scope.name === 'nestjs-agent');
    expect(ours.map(({ name, kind }) => [name, kind])).toEqual(
      expect.arrayContaining([
        ['invoke_agent agent', 1],
        ['chat scripted', 3],
        ['execute_tool get_order', 1],
      ]),
    );
    const parentOf = ({ spanId }: { readonly spanId: string }) =>
      arrived.find((each) => each.spanId === spanId)?.parentSpanId;
    for (const span of ours) {
      expect(parentOf(span)).toBe(spans.find(({ id }) => id === span.spanId)?.parentId);
    }
    expect(ours[0]?.attributes.map(({ key }) => key)).toContain('nestjs_agent.run.id');
  });
});
