import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SpanKind } from '@opentelemetry/api';
import { ADAPTERS } from './http/agent-app';

const HOOK = join(__dirname, 'support/typescript-hook.cjs');
const SCRIPT = join(__dirname, 'support/otel/traced-http.process.ts');
const CALLS = 500;

interface PrintedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly path?: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId?: string;
}

describe.each(ADAPTERS)('the official instrumentation of node:http, on %s', (adapter) => {
  it(`sees exactly one request under each of ${CALLS} route calls`, async () => {
    const args = ['--require', HOOK, SCRIPT, adapter, String(CALLS)];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      maxBuffer: 64 * 1024 * 1024,
    });
    const { status, spans } = JSON.parse(stdout) as {
      status: string;
      spans: readonly PrintedSpan[];
    };
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
