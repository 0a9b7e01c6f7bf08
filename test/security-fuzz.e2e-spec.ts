import { once } from 'node:events';
import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ChatModel } from 'nestjs-agent';
import { ADAPTERS, Closers, PAGE_TITLE } from './http/agent-app';

/** Set it to search longer: `FUZZ_REQUESTS=50000 npx jest security-fuzz`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const PATIENCE_MS = 10_000;

/** Says one word, whatever it is asked. */
const parrot: ChatModel = {
  name: 'parrot',
  capabilities: { tools: true },
  async *stream() {
    yield { type: 'text.delta', delta: 'Yes.' };
    yield { type: 'finish', reason: 'end_turn' };
  },
};

interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const visible = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~%: ;,/*"\\{}') });
const id = fc.oneof(
  fc.constantFrom('none', '..', '%00', '%2e%2e%2f', '__proto__', 'constructor', '%ff', '%', '*'),
  fc.string({ maxLength: 40 }).map(encodeURIComponent),
);
const path = fc.oneof(
  fc.constantFrom(
    'chat',
    'chat/stream',
    'chat/tool-result',
    'sessions',
    'tools',
    'health',
    'v1/chat/completions',
    'v1/models',
    'ag-ui',
    'ag-ui/capabilities',
    'v1/responses',
  ),
  id.map((each) => `ag-ui/${each}/messages`),
  id.map((each) => `ag-ui/${each}/run`),
  id.map((each) => `runs/${each}/actions`),
  id.map((each) => `runs/${each}/events`),
  id.map((each) => `runs/${each}`),
  id.map((each) => `sessions/${each}/messages`),
  id.map((each) => `sessions/${each}`),
  fc.tuple(id, id).map(([session, tool]) => `sessions/${session}/permissions/${tool}`),
  id.map((each) => `tools/${each}`),
  id.map((each) => `v1/models/${each}`),
  id.map((each) => `v1/responses/${each}`),
  id.map((each) => `v1/responses/${each}/cancel`),
);

const json = fc.jsonValue({ maxDepth: 4 });
/** Valid bodies with some of their values replaced by anything. */
const near = (valid: Readonly<Record<string, unknown>>) =>
  fc
    .tuple(
      fc.subarray(Object.keys(valid)),
      fc.dictionary(fc.constantFrom(...Object.keys(valid), '__proto__', 'x'), json, { maxKeys: 3 }),
    )
    .map(([keys, wrong]) => ({
      ...Object.fromEntries(keys.map((key) => [key, valid[key]])),
      ...wrong,
    }));
const object = fc.oneof(
  near({
    message: 'hi',
    sessionId: 'ses_x',
    environmentContext: ['a'],
    frontendTools: [PAGE_TITLE],
    model: 'other',
    toolChoice: 'none',
  }),
  near({ sessionId: 'ses_x', callId: 'call_x', result: 1, error: 'no' }),
  near({ actions: [{ callId: 'call_x', type: 'approve' }], frontendTools: [PAGE_TITLE] }),
  near({
    model: 'agent',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'a', parameters: {} } }],
    tool_choice: 'auto',
    stop: ['x'],
    temperature: 1,
  }),
  near({
    threadId: 'main',
    runId: 'r',
    protocolVersion: '1.0',
    messages: [
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { id: 't', role: 'tool', toolCallId: 'call_x', content: 'no' },
    ],
    tools: [{ name: 'a-b', description: 'c', parameters: {} }],
    context: [{ description: 'a', value: 'b' }],
    resume: [{ interruptId: 'call_x', status: 'resolved', payload: { approved: true } }],
  }),
  near({
    model: 'agent',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ],
    instructions: 'x',
    previous_response_id: 'resp_run_x_0',
    conversation: { id: 'ses_x' },
    store: false,
    stream: true,
    tools: [{ type: 'function', name: 'a', parameters: {} }],
    tool_choice: 'auto',
    text: { format: { type: 'json_object' } },
    metadata: {},
  }),
  json,
);
const body = fc.oneof(
  { weight: 6, arbitrary: object.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(object, fc.nat(60))
      .map(([value, cut]) => Buffer.from(JSON.stringify(value)).subarray(0, cut)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.from('['.repeat(20_000)),
      Buffer.from(`{"message":${'['.repeat(2_000)}${']'.repeat(2_000)}}`),
      Buffer.from('{"message":"hi","__proto__":{"admin":true}}'),
      Buffer.from('{"message":"\\ud800 \\u0000"}'),
      Buffer.alloc(20_000, ' '),
    ),
  },
);
const request: fc.Arbitrary<FuzzedRequest> = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
    path: fc
      .tuple(path, fc.constantFrom('', '', '/', '?a=1'))
      .map(([at, end]) => `/agent/${at}${end}`),
    headers: fc.record(
      {
        'content-type': fc.oneof(
          { weight: 5, arbitrary: fc.constant('application/json') },
          fc.constantFrom(
            'application/json; charset=utf-8',
            'application/json; charset=koi8-r',
            'application/x-www-form-urlencoded',
            'multipart/form-data; boundary=x',
            'text/plain',
            'application/json;;;=',
          ),
          visible,
        ),
        'content-encoding': fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'zstd', 'x'),
        authorization: fc.oneof(
          fc.constantFrom('Bearer alice', 'Bearer wrong', 'Basic x'),
          visible,
        ),
        accept: fc.oneof(fc.constantFrom('text/event-stream', '*/*'), visible),
        'x-agent-session': fc.oneof(fc.constant('ses_x'), visible),
        'last-event-id': fc.oneof(fc.constantFrom('0', '-1', '1e9', '9'.repeat(40)), visible),
        origin: visible,
      },
      { requiredKeys: ['content-type'] },
    ),
    body: fc.option(body, { nil: undefined }),
  })
  .map(({ method, body: sent, ...rest }) => ({
    method,
    ...rest,
    ...(sent !== undefined && method !== 'GET' && method !== 'HEAD' && { body: sent }),
  }));

async function send(url: string, fuzzed: FuzzedRequest, agent: http.Agent): Promise<number> {
  const { method, path: target, body: sent } = fuzzed;
  // Node frames no body of a DELETE by itself.
  const headers = { ...fuzzed.headers, 'content-length': sent?.length ?? 0 };
  const { hostname, port } = new URL(url);
  const call = http.request({ hostname, port, method, path: target, headers, agent });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answered = once(call, 'response', { signal });
    call.end(sent);
    const [response] = (await answered) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end', { signal });
    return response.statusCode ?? 0;
  } catch (error) {
    // The server may close a kept connection just as it is used again; that is no answer to this.
    if (call.reusedSocket && (error as { code?: string }).code === 'ECONNRESET') {
      return send(url, fuzzed, agent);
    }
    throw new Error(`No answer to ${JSON.stringify({ ...fuzzed, body: sent?.toString() })}`, {
      cause: error,
    });
  }
}

/**
 * What runs of the last five minutes may hold, and what the first requests load. Nothing that grows
 * with the requests fits into it: 50 000 of them have 640 bytes each.
 */
const MOST_GROWTH_BYTES = 32_000_000;

/** The heap in use once everything that can go is gone. */
async function heapAfter(settle: () => Promise<unknown>): Promise<number> {
  await settle();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

describe.each(ADAPTERS)('the endpoints under bad input on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it(
    `answers ${REQUESTS} odd requests without failing, hanging or losing its way`,
    async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      const { url } = await apps.open({ adapter, model: parrot });
      const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
      try {
        const settledHeap = await heapAfter(() => fetch(`${url}/agent/health`));
        await fc.assert(
          fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (batch) => {
            const statuses = await Promise.all(batch.map((each) => send(url, each, agent)));
            statuses.forEach((status, index) => {
              if (status >= 200 && status < 500) return;
              const { body: sent, ...rest } = batch[index] ?? {};
              throw new Error(`${status} for ${JSON.stringify(rest)} with ${sent?.toString()}`);
            });
          }),
          { numRuns: Math.ceil(REQUESTS / 10) },
        );
        expect(unhandled).toEqual([]);
        const growth = (await heapAfter(() => fetch(`${url}/agent/health`))) - settledHeap;
        expect(growth).toBeLessThan(MOST_GROWTH_BYTES);
        expect(({} as { admin?: unknown }).admin).toBeUndefined();
        const health = await fetch(`${url}/agent/health`, { headers: { connection: 'close' } });
        expect(health.status).toBe(200);
      } finally {
        agent.destroy();
        process.off('unhandledRejection', note);
      }
    },
    60_000 + REQUESTS * 20,
  );
});
