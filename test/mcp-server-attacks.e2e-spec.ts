import { UseGuards } from '@nestjs/common';
import { memoryStore, SessionService, ToolRegistry } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { ADAPTERS, BearerGuard } from './http/agent-app';
import { messagesOf, type Message } from './mcp/server/rpc-client';
import { serverApps, type ServerApp, waitFor } from './mcp/server/server-app';

const CALL = { name: 'delete_order', arguments: { id: 7 } };
const yes = { approval: { action: 'accept', content: { approve: true } } };
const no = { approval: { action: 'decline' } };

const started = serverApps();

/** Registers a tool that asks; returns the arguments that it ran with. */
function askingTool({ app }: ServerApp, names: readonly string[]): JsonObject[] {
  const ran: JsonObject[] = [];
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  app.get(ToolRegistry).register(
    { name: 'risky', description: 'Risky', input_schema: { type: 'object', properties } },
    (input) => {
      ran.push(input);
      return 'ran';
    },
    { permission: 'ask' },
  );
  return ran;
}

async function question(
  { client }: ServerApp,
  call: object = CALL,
  options = {},
): Promise<{ readonly message: string; readonly requestState: string }> {
  const { result } = await client.modern('tools/call', call, options);
  return {
    message: result?.['inputRequests'].approval.params.message as string,
    requestState: result?.['requestState'] as string,
  };
}

describe('a question', () => {
  it('names every argument, however long the others are', async () => {
    const served = await started();
    askingTool(served, ['note', 'target']);
    const { message } = await question(served, {
      name: 'risky',
      arguments: { note: 'harmless '.repeat(400), target: '/etc/passwd' },
    });

    expect(message).toContain('target: "/etc/passwd"');
    expect(message).toMatch(/\d+ characters not shown/);
    expect(message.length).toBeLessThanOrEqual(2_000);
  });

  it('says how many arguments it does not show', async () => {
    const served = await started();
    const names = Array.from({ length: 300 }, (_, index) => `argument_${index}`);
    askingTool(served, names);
    const args = Object.fromEntries(names.map((name) => [name, 'value']));
    const { message } = await question(served, { name: 'risky', arguments: args });

    expect(message).toContain('and 280 more arguments that are not shown');
    expect(message.length).toBeLessThanOrEqual(2_000);
  });

  it('is short where names and values are long', async () => {
    const served = await started();
    const names = Array.from({ length: 300 }, (_, index) => `${index}${'name'.repeat(20)}`);
    askingTool(served, names);
    const args = Object.fromEntries(names.map((name) => [name, '\u202e'.repeat(40)]));
    const { message } = await question(served, { name: 'risky', arguments: args });

    expect(message).toContain('\n19namename');
    expect(message.length).toBeLessThanOrEqual(2_000);
  });

  it('shows characters that nobody can see', async () => {
    const served = await started();
    askingTool(served, ['path']);
    const { message } = await question(served, {
      name: 'risky',
      arguments: { path: 'report\u202Efdp.exe\u200B\u2066\u2028x\u0085y\u{E0041}' },
    });

    expect(message).toContain('report\\u202efdp.exe\\u200b\\u2066');
    expect(message).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u0085]/u);
  });

  it('is not asked for numbers that JSON does not have', async () => {
    const served = await started();
    const ran = askingTool(served, ['amount']);
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"risky","arguments":{"amount":1e999}}}';

    expect((await served.client.post(body)).status).toBe(400);
    expect((await served.client.post(body.replace('"id":1', '"id":1e999'))).status).toBe(400);
    expect(ran).toEqual([]);
  });
});

describe('a declined call', () => {
  it('does not run because its permission is weaker by now', async () => {
    let level: 'ask' | 'allow' = 'ask';
    const served = await started({ agent: { permissions: { delete_order: () => level } } });
    const { requestState } = await question(served);
    level = 'allow';
    const { result } = await served.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: no,
    });

    expect(result).toMatchObject({ isError: true });
    expect(served.journal.lines).toEqual([]);
    expect(served.audit).toMatchObject([{ approval: 'declined', outcome: 'declined' }]);
  });
});

describe('an approval serves once', () => {
  it('though its record could be found by its id', async () => {
    const served = await started({
      agent: { path: 'agent', decorators: [] },
      server: { decorators: [UseGuards(BearerGuard)] },
    });
    const ran = askingTool(served, ['path']);
    const call = { name: 'risky', arguments: { path: 'x' } };
    for (const user of [null, 'alice']) {
      const { requestState } = await question(served, call, { user });
      const retry = { ...call, requestState, inputResponses: yes };
      await served.client.modern('tools/call', retry, { user });
      const id = `mcp-approval-${requestState.split('.')[1]}`;
      const record = `${served.url}/agent/sessions/${id}`;
      expect((await fetch(record, { method: 'DELETE' })).status).toBe(404);
      expect((await served.client.modern('tools/call', retry, { user })).status).toBe(400);
    }
    expect(ran).toHaveLength(2);
  });

  it('though conversations expire, and are all removed', async () => {
    const served = await started({
      agent: { sessions: { store: memoryStore(), expireAfterMs: 0 + 60_000 } },
    });
    const { requestState } = await question(served);
    const retry = { ...CALL, requestState, inputResponses: yes };
    const lifetimeMs = Number(requestState.split('.')[2]) - Date.now();
    expect(lifetimeMs).toBeLessThanOrEqual(60_000);

    await served.client.modern('tools/call', retry);
    await served.app.get(SessionService).clearAll();
    expect((await served.client.modern('tools/call', retry)).status).toBe(400);
    expect(served.journal.lines).toEqual(['alice deleted 7']);
  });

  it('in all processes, though all conversations are removed', async () => {
    const sessions = { store: memoryStore() };
    const fleet = { agent: { sessions }, server: { secret: 's'.repeat(32) } };
    const [first, second] = [await started(fleet), await started(fleet)];
    const retry = { ...CALL, requestState: (await question(first)).requestState };
    const approved = { ...retry, inputResponses: yes };

    await first.client.modern('tools/call', approved);
    expect(await second.app.get(SessionService).count()).toBe(0);
    await second.app.get(SessionService).clearAll();
    expect((await second.client.modern('tools/call', approved)).status).toBe(400);
    expect(second.journal.lines).toEqual([]);
  });

  it('and not for a tool that has changed since the question', async () => {
    const served = await started();
    const ran = askingTool(served, ['path']);
    const call = { name: 'risky', arguments: { path: 'x' } };
    const { requestState } = await question(served, call);
    served.app.get(ToolRegistry).unregister('risky');
    const replacing = askingTool(served, ['path', 'force']);
    const retry = { ...call, requestState, inputResponses: yes };
    const answer = await served.client.modern('tools/call', retry);

    expect([answer.status, answer.error?.code]).toEqual([400, -32_602]);
    expect([...ran, ...replacing]).toEqual([]);
  });

  it('and not for a tool that changes while the approval is marked as used', async () => {
    const store = memoryStore();
    let replace = (): void => undefined;
    const create = store.create.bind(store);
    store.create = async (...session) => {
      replace();
      return create(...session);
    };
    const served = await started({ agent: { sessions: { store } } });
    const ran = askingTool(served, ['path']);
    const call = { name: 'risky', arguments: { path: 'x' } };
    const { requestState } = await question(served, call);
    const replacing: JsonObject[][] = [];
    replace = () => {
      served.app.get(ToolRegistry).unregister('risky');
      replacing.push(askingTool(served, ['path', 'force']));
    };
    const retry = { ...call, requestState, inputResponses: yes };
    const { result } = await served.client.modern('tools/call', retry);

    expect(result).toMatchObject({ isError: true });
    expect(result?.['content'][0].text).toContain('has changed since the user was asked');
    expect([ran, ...replacing].flat()).toEqual([]);
  });

  it('and is looked at only by callers who may know of the tool', async () => {
    const served = await started();
    const { requestState } = await question(served);
    for (const [name, user] of [
      ['alice_only', 'bob'],
      ['grouped', 'alice'],
      ['nothing', 'alice'],
    ] as const) {
      const call = { name, arguments: {}, requestState, inputResponses: yes };
      const { status, error } = await served.client.modern('tools/call', call, { user });
      expect([status, error?.message]).toEqual([200, `Unknown tool: ${name}`]);
    }
  });

  it('and not at a server whose options refuse it', async () => {
    const store = memoryStore();
    const secret = 'the secret of the whole fleet';
    const agent = { sessions: { store } };
    const one = await started({ server: { secret }, agent });
    const two = await started({ server: { secret, approvals: 'refuse' }, agent });
    const { requestState } = await question(one);
    const { result } = await two.client.modern('tools/call', {
      ...CALL,
      requestState,
      inputResponses: yes,
    });

    expect(result).toMatchObject({ isError: true });
    expect(two.journal.lines).toEqual([]);
  });
});

describe('a question to an older client', () => {
  const ask = async ({ client }: ServerApp, signal?: AbortSignal, id = 9) => {
    const response = await client.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: CALL }),
      { headers: { 'mcp-session-id': 'e-1' }, ...(signal && { signal }) },
    );
    const { value } = await messagesOf(response).next();
    return value as Message;
  };

  it('is given up with its client, whose places are free again', async () => {
    const served = await started();
    for (let id = 0; id < 8; id += 1) {
      const leaving = new AbortController();
      const asked = await ask(served, leaving.signal, id);
      leaving.abort();
      await waitFor(() => served.audit.length > id);
      await served.client.send(
        JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: yes.approval }),
      );
    }
    const call = { name: 'add', arguments: { a: 1, b: 2 } };

    expect((await served.client.modern('tools/call', call)).status).toBe(200);
    expect(served.journal.lines).toEqual([]);
  });

  it('is not asked once the application stops', async () => {
    let allow = (): void => undefined;
    const slow = new Promise<void>((resolve) => (allow = resolve));
    let isAsked = false;
    const delete_order = async (): Promise<'ask'> => {
      isAsked = true;
      await slow;
      return 'ask';
    };
    const served = await started({ agent: { permissions: { delete_order } } });
    const call = served.client.legacy('tools/call', CALL, {
      headers: { 'mcp-session-id': 'e-1', connection: 'close' },
    });
    await waitFor(() => isAsked);
    const closing = served.app.close();
    const server = served.app.getHttpServer() as { readonly listening: boolean };
    await waitFor(() => !server.listening);
    allow();

    expect((await call).result).toMatchObject({ isError: true });
    await closing;
    expect(served.journal.lines).toEqual([]);
  });
});

describe.each(ADAPTERS)('the endpoint on %s', (adapter) => {
  it('opens no stream for HEAD', async () => {
    const served = await started({ adapter });
    const response = await served.client.send(
      undefined,
      { headers: { 'content-type': undefined } },
      'HEAD',
    );
    expect([404, 405]).toContain(response.status);
  });

  it('keeps anonymous clients from cancelling one another', async () => {
    const served = await started({
      adapter,
      server: { decorators: [UseGuards(BearerGuard)] },
    });
    const leaving = new AbortController();
    const call = served.client
      .legacy(
        'tools/call',
        { name: 'wait', arguments: { name: 'mine' } },
        { user: null, id: 1, headers: { 'mcp-session-id': 'n-mine' }, signal: leaving.signal },
      )
      .catch(() => undefined);
    await waitFor(() => served.journal.lines.includes('waiting mine'));
    const cancel = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    await served.client.send(cancel, { user: null });
    await served.client.send(cancel, { user: null, headers: { 'mcp-session-id': 'n-other' } });
    expect(served.journal.aborted).toEqual([]);

    await served.client.send(cancel, { user: null, headers: { 'mcp-session-id': 'n-mine' } });
    await call;
    expect(served.journal.aborted).toEqual(['mine']);
  });

  it('asks the guards before it says what is wrong with a body', async () => {
    const served = await started({ adapter });
    const bodies: [string, Record<string, string>][] = [
      ['{"jsonrpc":', {}],
      ['{}', { 'content-type': 'application/json; charset=utf-16' }],
    ];
    for (const [body, headers] of bodies.slice(0, adapter === 'express' ? 2 : 0)) {
      expect((await served.client.send(body, { user: null, headers })).status).toBe(401);
    }
    expect((await served.client.send('{}', { user: null })).status).toBe(401);
  });
});
