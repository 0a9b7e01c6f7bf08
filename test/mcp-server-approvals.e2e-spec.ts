import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { memoryStore } from 'nestjs-agent';
import { ON_FASTIFY } from './http/agent-app';
import {
  messagesOf,
  RpcClient,
  type Answer,
  type CallOptions,
  type Message,
} from './mcp/server/rpc-client';
import { serverApps, type ServerApp } from './mcp/server/server-app';

const CALL = { name: 'delete_order', arguments: { id: 7 } };
const yes = { approval: { action: 'accept', content: { approve: true } } };
const accepting = (content: unknown) => ({ approval: { action: 'accept', content } });
const SECRET = 'the secret of the whole fleet';

const started = serverApps();

/** Asks for the call, and returns the state that goes back with the answer. */
async function ask({ client }: ServerApp, call: object = CALL, options = {}): Promise<string> {
  const { result } = await client.modern('tools/call', call, options);
  expect(result).toMatchObject({ resultType: 'input_required' });
  return result?.['requestState'] as string;
}

const refused = ({ status, error }: Answer): readonly unknown[] => [status, error?.code];

describe.each(ON_FASTIFY)('approvals over the modern revision on %s', (adapter) => {
  it('ask with the title, the name and the arguments, and run once approved', async () => {
    const served = await started({ adapter });
    const { result } = await served.client.modern('tools/call', CALL);

    expect(result).toMatchObject({
      inputRequests: {
        approval: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: expect.stringMatching(/Delete order.*delete_order.*"id": 7/s),
            requestedSchema: { properties: { approve: { type: 'boolean' } } },
          },
        },
      },
    });
    expect(result).not.toHaveProperty('ttlMs');
    expect(served.journal.lines).toEqual([]);

    const { requestState } = result as { requestState: string };
    const approved = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: { ...yes, other: 'ignored' },
    });

    expect(approved.result?.['content'][0].text).toBe('{"deleted":7}');
    expect(served.journal.lines).toEqual(['alice deleted 7']);
    expect(served.audit).toMatchObject([
      { tool: 'delete_order', approval: 'approved', outcome: 'executed', via: 'mcp' },
    ]);
    expect(requestState).toContain(served.audit[0]?.callId);
    // No agreement is remembered.
    await ask(served);
  });

  it('serve once: a replay is refused, at once and at the same time', async () => {
    const served = await started({ adapter });
    const requestState = await ask(served);
    const retry = { ...CALL, requestState, inputResponses: yes };

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => served.client.modern('tools/call', retry)),
    );
    const later = await served.client.modern('tools/call', retry);

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused(later)).toEqual([400, -32_602]);
    expect(served.journal.lines).toEqual(['alice deleted 7']);
  });

  it.each([
    ['a decline', 'The user declined', { approval: { action: 'decline' } }],
    ['a cancel', 'dismissed without an answer. It was not', { approval: { action: 'cancel' } }],
    [
      'approve: false',
      'The user declined',
      { approval: { action: 'accept', content: { approve: false } } },
    ],
  ])('%s ends the call, on record, and uses the state up', async (_, words, inputResponses) => {
    const served = await started({ adapter });
    const requestState = await ask(served);

    const declined = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses,
    });
    const second = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: yes,
    });

    expect(declined.result).toMatchObject({ isError: true });
    expect(declined.result?.['content'][0].text).toContain(words);
    expect(refused(second)).toEqual([400, -32_602]);
    expect(served.journal.lines).toEqual([]);
    expect(served.audit).toMatchObject([{ outcome: 'declined', approval: 'declined', via: 'mcp' }]);
  });

  it('are asked for again without an answer, or with one that does not fit the form', async () => {
    const served = await started({ adapter });
    const requestState = await ask(served);
    const invalid = ['false', 'no', 0, null].map((approve) => accepting({ approve }));
    const answers = [{}, { approval: {} }, { approval: { action: 'maybe' } }, [], 7];
    for (const inputResponses of [...answers, ...invalid, accepting('no')]) {
      await ask(served, { ...CALL, requestState, inputResponses });
    }
    // The first state was not used up by this.
    const { result } = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: yes,
    });
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  it.each<[string, object, object?]>([
    ['other arguments', { ...CALL, arguments: { id: 8 } }],
    ['further arguments', { ...CALL, arguments: { id: 7, all: true } }],
    ['another tool', { name: 'place_order', arguments: { id: 7 } }],
    ['another principal', CALL, { user: 'bob' }],
  ])('are of no use with %s', async (_, call, options = {}) => {
    const served = await started({ adapter });
    const requestState = await ask(served);
    const answer = await served.client.modern(
      'tools/call',
      { ...call, requestState, inputResponses: yes },
      options,
    );

    expect(refused(answer)).toEqual([400, -32_602]);
    expect(served.journal.lines).toEqual([]);
  });

  it('are of no use once changed', async () => {
    const served = await started({ adapter });
    const state = await ask(served);
    const [version = '', nonce = '', expiry = '', signature = ''] = state.split('.');
    const forged = [
      '',
      'x',
      `${state}x`,
      [version, nonce, String(Number(expiry) + 1), signature].join('.'),
      [version, turned(nonce), expiry, signature].join('.'),
      [version, nonce, expiry, turned(signature)].join('.'),
      [version, nonce, expiry].join('.'),
      7,
      { nonce },
    ];
    for (const requestState of forged) {
      const answer = await served.client.modern('tools/call', {
        ...CALL,
        requestState,
        inputResponses: yes,
      });
      expect(refused(answer)).toEqual([400, -32_602]);
    }
    expect(served.journal.lines).toEqual([]);
  });

  it('expire', async () => {
    const served = await started({ adapter, server: { limits: { approvalMs: 1 } } });
    const requestState = await ask(served);
    const answer = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: yes,
    });

    expect(refused(answer)).toEqual([400, -32_602]);
  });

  it('are checked afresh: what is no longer allowed does not run', async () => {
    let isDenied = false;
    const permissions = { delete_order: () => (isDenied ? 'deny' : 'ask') } as const;
    const served = await started({ adapter, agent: { permissions } });
    const requestState = await ask(served);
    isDenied = true;
    const { result } = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: yes,
    });

    expect(result).toMatchObject({ isError: true });
    expect(served.journal.lines).toEqual([]);
  });

  it('cannot be asked of a client that shows no forms', async () => {
    const served = await started({ adapter });
    for (const capabilities of [{}, { elicitation: { url: {} } }, { elicitation: true }]) {
      const answer = await served.client.modern('tools/call', CALL, { capabilities });
      expect(refused(answer)).toEqual([400, -32_021]);
      expect(answer.error?.data).toEqual({
        requiredCapabilities: { elicitation: { form: {} } },
      });
    }
    expect(served.journal.lines).toEqual([]);
  });

  it('show no sensitive argument', async () => {
    const served = await started({ adapter });
    const call = { name: 'keep_secret', arguments: { secret: 'hunter2', note: 'n' } };
    const { result } = await served.client.modern('tools/call', call);

    expect(JSON.stringify(result)).not.toContain('hunter2');
    const { requestState } = result as { requestState: string };
    await served.client.modern('tools/call', { ...call, requestState, inputResponses: yes });
    expect(served.journal.lines).toEqual(['kept hunter2 n']);
  });

  it('work in a fleet with one secret and one store, and serve once in all of it', async () => {
    const store = memoryStore();
    const options = { adapter, server: { secret: SECRET }, agent: { sessions: { store } } };
    const [one, two] = [await started(options), await started(options)];
    const retry = { ...CALL, requestState: await ask(one), inputResponses: yes };

    expect((await two.client.modern('tools/call', retry)).result).toMatchObject({
      resultType: 'complete',
    });
    for (const { client } of [one, two]) {
      expect(refused(await client.modern('tools/call', retry))).toEqual([400, -32_602]);
    }
    expect([...one.journal.lines, ...two.journal.lines]).toEqual(['alice deleted 7']);
  });

  it('of a process whose clock is hours ahead are of no use at others, where they would last', async () => {
    const store = memoryStore();
    const options = { adapter, server: { secret: SECRET }, agent: { sessions: { store } } };
    const [ahead, other] = [await started(options), await started(options)];
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);
    const requestState = await ask(ahead).finally(() => clock.mockRestore());

    const retry = { ...CALL, requestState, inputResponses: yes };
    expect(refused(await other.client.modern('tools/call', retry))).toEqual([400, -32_602]);
    expect(other.journal.lines).toEqual([]);
  });

  it('issued before the limit was lowered are refused with the reason, which is logged', async () => {
    const store = memoryStore();
    const options = { adapter, agent: { sessions: { store } } } as const;
    const secret = SECRET;
    const before = await started({ ...options, server: { secret } });
    const after = await started({ ...options, server: { secret, limits: { approvalMs: 1_000 } } });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const retry = { ...CALL, requestState: await ask(before), inputResponses: yes };

    const answer = await after.client.modern('tools/call', retry);
    const forged = { ...retry, arguments: { id: 8 } };
    const other = await after.client.modern('tools/call', forged);

    expect(refused(answer)).toEqual([400, -32_602]);
    expect(answer.error?.message).toContain('valid for longer than "limits.approvalMs"');
    expect(other.error?.message).not.toContain('approvalMs');
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/"delete_order".*approvalMs/)]]);
    expect(after.journal.lines).toEqual([]);
    warn.mockRestore();
  });

  it('are used once, also where they are valid for longer than a timer of Node waits', async () => {
    const store = memoryStore();
    const limits = { approvalMs: 30 * 24 * 3_600_000 };
    const sessions = { store, expireAfterMs: false } as const;
    const options = { adapter, server: { secret: SECRET, limits }, agent: { sessions } };
    const [one, two] = [await started(options), await started(options)];
    const requestState = await ask(one);
    const retry = { ...CALL, requestState, inputResponses: yes };
    await one.client.modern('tools/call', retry);
    expect(refused(await two.client.modern('tools/call', retry))).toEqual([400, -32_602]);
    expect([...one.journal.lines, ...two.journal.lines]).toEqual(['alice deleted 7']);
  });

  it('of another server of the application, or without the secret, are of no use', async () => {
    const served = await started({
      adapter,
      server: { secret: SECRET },
      more: [{ path: 'other', secret: SECRET }],
    });
    const stranger = await started({ adapter });
    const retry = { ...CALL, requestState: await ask(served), inputResponses: yes };
    const other = new RpcClient(`${served.url}/other`);

    expect(refused(await other.modern('tools/call', retry))).toEqual([400, -32_602]);
    expect(refused(await stranger.client.modern('tools/call', retry))).toEqual([400, -32_602]);
  });
});

describe.each(ON_FASTIFY)('approvals over older revisions on %s', (adapter) => {
  const asking = { headers: { 'mcp-session-id': 'e-1' } };

  /** Starts the call, and returns the question with the rest of the stream. */
  async function question(
    { client }: ServerApp,
    call: object = CALL,
    options: CallOptions = asking,
  ): Promise<{ readonly question: Message; readonly rest: AsyncGenerator<Message, void> }> {
    const response = await client.send(
      JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: call }),
      options,
    );
    const rest = messagesOf(response);
    const { value } = await rest.next();
    expect(value).toMatchObject({ method: 'elicitation/create' });
    return { question: value as Message, rest };
  }

  const answer = ({ client }: ServerApp, id: unknown, result: object, user = 'alice') =>
    client.send(JSON.stringify({ jsonrpc: '2.0', id, result }), { user });

  it('are asked on the stream of the call', async () => {
    const served = await started({ adapter });
    const { question: asked, rest } = await question(served);
    expect(asked.id).toMatch(/^[\da-f-]{36}$/);
    expect(asked.params?.['message']).toContain('delete_order');

    expect((await answer(served, asked.id, yes.approval)).status).toBe(202);
    const { value } = await rest.next();

    expect(value).toMatchObject({ id: 9, result: { content: [{ text: '{"deleted":7}' }] } });
    expect(served.audit).toMatchObject([{ approval: 'approved', via: 'mcp' }]);
    // The answer counts once.
    expect((await answer(served, asked.id, yes.approval)).status).toBe(202);
    expect(served.journal.lines).toEqual(['alice deleted 7']);
  });

  it('let the call run with the credentials of the answer, newer than its own', async () => {
    const expired = new Set<string | undefined>();
    const guarded = (request: IncomingMessage, response: ServerResponse, next: () => void) =>
      expired.has(request.headers.cookie) ? response.writeHead(401).end() : next();
    const served = await started({ adapter, prepare: (app) => app.use(guarded) });
    const of = (cookie: string) => ({ headers: { ...asking.headers, cookie } });
    const { question: asked, rest } = await question(served, CALL, of('token=1'));
    expired.add('token=1');

    const said = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: yes.approval });
    expect((await served.client.send(said, of('token=1'))).status).toBe(401);
    expect((await served.client.send(said, of('token=2'))).status).toBe(202);
    const { value } = await rest.next();

    expect(value).toMatchObject({ result: { content: [{ text: '{"deleted":7}' }] } });
  });

  it('cannot be given by another principal', async () => {
    const served = await started({ adapter });
    const { question: asked, rest } = await question(served);

    expect((await answer(served, asked.id, yes.approval, 'bob')).status).toBe(202);
    expect((await answer(served, 'guessed', yes.approval)).status).toBe(202);
    expect(served.journal.lines).toEqual([]);

    await answer(served, asked.id, { action: 'decline' });
    const { value } = await rest.next();
    expect(value).toMatchObject({ result: { isError: true } });
    expect(served.audit).toMatchObject([{ outcome: 'declined', approval: 'declined' }]);
  });

  /** A refusal that blames no user. */
  const refusal = (words: string) => ({
    result: {
      isError: true,
      content: [{ text: `The tool "delete_order" needs an approval, ${words}` }],
    },
  });

  it('end with their time, with an error of the client, and with the application', async () => {
    const served = await started({ adapter, server: { limits: { approvalMs: 5 } } });
    const { rest } = await question(served);
    const late = refusal('which was not given in time. It was not run.');
    expect((await rest.next()).value).toMatchObject(late);

    const patient = await started({ adapter });
    const failed = refusal('and this client failed to ask its user. It was not run.');
    const dismissed = refusal('and the question was dismissed without an answer. It was not run.');
    for (const [said, told] of [
      [{ error: { code: -32_601, message: 'Method not found' } }, failed],
      [{ result: {} }, failed],
      [{ result: accepting({ approve: 'false' }).approval }, failed],
      [{ result: { action: 'cancel' } }, dismissed],
    ] as const) {
      const second = await question(patient);
      await patient.client.send(
        JSON.stringify({ jsonrpc: '2.0', id: second.question.id, ...said }),
      );
      expect((await second.rest.next()).value).toMatchObject(told);
    }

    const third = await question(patient);
    const closing = patient.app.close();
    expect((await third.rest.next()).value).toMatchObject({ result: { isError: true } });
    await closing;
    expect(patient.journal.lines).toEqual([]);
  });

  it('are an error for clients that cannot ask, or cannot read streams', async () => {
    const served = await started({ adapter });
    const cannot = await served.client.legacy('tools/call', CALL);
    const plain = await served.client.legacy('tools/call', CALL, {
      headers: { 'mcp-session-id': 'e-1', accept: 'application/json' },
    });

    for (const { result } of [cannot, plain]) {
      expect(result).toMatchObject({ isError: true });
      expect(result?.['content'][0].text).toContain('needs an approval');
    }
    expect(served.journal.lines).toEqual([]);
  });
});

describe('the option "approvals"', () => {
  it('lets the own question of the host count', async () => {
    const served = await started({ server: { approvals: 'client' } });
    const { result } = await served.client.legacy('tools/call', CALL);

    expect(result).toMatchObject({ content: [{ text: '{"deleted":7}' }] });
    expect(served.audit).toMatchObject([{ approval: 'approved' }]);
  });

  it('refuses, by name, and lists the tool', async () => {
    const served = await started({
      server: { approvals: { 'delete_*': 'refuse', '*': 'client' } },
    });
    const { result } = await served.client.modern('tools/call', CALL);
    const placed = await served.client.modern('tools/call', {
      name: 'place_order',
      arguments: { amount: 3 },
    });
    const { result: list } = await served.client.modern('tools/list');

    expect(result).toMatchObject({ isError: true });
    expect(placed.result).not.toHaveProperty('isError');
    expect(served.journal.lines).toEqual(['alice placed 3']);
    expect(JSON.stringify(list)).toContain('delete_order');
    expect(served.audit).toMatchObject([{ outcome: 'declined' }, { outcome: 'executed' }]);
  });
});

/** Another text of the same form. */
function turned(text: string): string {
  return (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
}
