import request from 'supertest';
import { Barrier } from 'nestjs-agent/testing';
import { ADAPTERS, Closers, PAGE_TITLE, removed, type AgentApp } from './http/agent-app';
import { SseStream } from './http/sse-client';

/** Who asks: with whose token, and showing which session. */
interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What alice left behind, for others to reach for. */
interface Belongings {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
}

interface Endpoint {
  readonly name: string;
  readonly method: 'get' | 'post' | 'delete';
  readonly path: (of: Belongings) => string;
  readonly body?: (of: Belongings) => object;
  /** What the owner gets; everybody else gets 404. */
  readonly owner: number;
}

const approve = ({ callId }: Belongings) => ({ actions: [{ callId, type: 'approve' }] });

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'POST /chat',
    method: 'post',
    path: () => 'chat',
    body: ({ sessionId }) => ({ message: 'hi', sessionId }),
    owner: 200,
  },
  {
    name: 'POST /chat/stream',
    method: 'post',
    path: () => 'chat/stream',
    body: ({ sessionId }) => ({ message: 'hi', sessionId }),
    owner: 200,
  },
  {
    name: 'POST /chat/tool-result',
    method: 'post',
    path: () => 'chat/tool-result',
    body: ({ sessionId, callId }) => ({ sessionId, callId, result: 1 }),
    owner: 200,
  },
  {
    name: 'POST /runs/:runId/actions',
    method: 'post',
    path: ({ runId }) => `runs/${runId}/actions`,
    body: approve,
    owner: 200,
  },
  { name: 'GET /runs/:runId', method: 'get', path: ({ runId }) => `runs/${runId}`, owner: 200 },
  {
    name: 'GET /runs/:runId/events',
    method: 'get',
    path: ({ runId }) => `runs/${runId}/events`,
    owner: 200,
  },
  {
    name: 'DELETE /runs/:runId',
    method: 'delete',
    path: ({ runId }) => `runs/${runId}`,
    owner: 200,
  },
  {
    name: 'GET /sessions/:id/messages',
    method: 'get',
    path: ({ sessionId }) => `sessions/${sessionId}/messages`,
    owner: 200,
  },
  {
    name: 'POST /ag-ui',
    method: 'post',
    path: () => 'ag-ui',
    body: ({ sessionId, callId }) => ({
      threadId: sessionId,
      runId: 'run',
      messages: [{ id: 'a', role: 'assistant', content: 'May I?' }],
      resume: [{ interruptId: callId, status: 'resolved', payload: { approved: true } }],
    }),
    owner: 200,
  },
  {
    name: 'GET /ag-ui/:threadId/messages',
    method: 'get',
    path: ({ sessionId }) => `ag-ui/${sessionId}/messages`,
    owner: 200,
  },
  {
    name: 'DELETE /ag-ui/:threadId/run',
    method: 'delete',
    path: ({ sessionId }) => `ag-ui/${sessionId}/run`,
    owner: 204,
  },
  {
    name: 'DELETE /sessions/:id/permissions/:tool',
    method: 'delete',
    path: ({ sessionId }) => `sessions/${sessionId}/permissions/remove_file`,
    owner: 204,
  },
  {
    name: 'DELETE /sessions/:id',
    method: 'delete',
    path: ({ sessionId }) => `sessions/${sessionId}`,
    owner: 204,
  },
];

const asks = { toolCalls: [{ name: 'remove_file', input: { name: 'a' } }] };

describe.each(ADAPTERS)('what belongs to somebody, on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const call = ({ url }: AgentApp, endpoint: Endpoint, caller: Caller, of: Belongings) => {
    const client = request(url);
    const target = `/agent/${endpoint.path(of)}`;
    const sent = client[endpoint.method](target).set(caller.headers);
    return endpoint.body ? sent.send(endpoint.body(of)) : sent;
  };
  /** A run of the owner's that waits for an approval. */
  const prepare = async (app: AgentApp, owner: Caller): Promise<Belongings> => {
    app.model.push(asks);
    const { body } = await request(app.url)
      .post('/agent/chat')
      .set(owner.headers)
      .send({ message: 'tidy up' });
    const { sessionId, runId, pendingActions } = body as {
      sessionId: string;
      runId: string;
      pendingActions: { callId: string }[];
    };
    return { sessionId, runId, callId: pendingActions[0]?.callId ?? '' };
  };
  const user = (name: string): Caller => ({ name, headers: { authorization: `Bearer ${name}` } });
  const nobody: Caller = { name: 'nobody', headers: {} };
  const showing = (caller: Caller, { sessionId }: Belongings): Caller => ({
    name: `${caller.name}, showing the session`,
    headers: { ...caller.headers, 'x-agent-session': sessionId },
  });

  it.each(ENDPOINTS)(
    '$name serves the user it belongs to and is 404 to all others',
    async (endpoint) => {
      removed.length = 0;
      const app = await apps.open({ adapter });
      const alice = user('alice');
      const mine = await prepare(app, alice);
      const others = [user('bob'), nobody, showing(user('bob'), mine), showing(nobody, mine)];
      for (const other of others) {
        const answer = await call(app, endpoint, other, mine);
        expect({ caller: other.name, status: answer.status }).toEqual({
          caller: other.name,
          status: 404,
        });
        expect(answer.body.code).toMatch(/^(run|session)_not_found$/);
      }
      expect(removed).toEqual([]);
      // What strangers tried has changed nothing: it still waits.
      const standing = await request(app.url).get(`/agent/runs/${mine.runId}`).set(alice.headers);
      expect(standing.body.status).toBe('requires_action');
      app.model.push('Done.');
      const answer = await call(app, endpoint, alice, mine);
      expect(answer.status).toBe(endpoint.owner);
    },
  );

  it.each(ENDPOINTS)('$name serves nobody by the session alone', async (endpoint) => {
    const app = await apps.open({ adapter });
    const mine = await prepare(app, nobody);
    const owner = showing(nobody, mine);
    const byRun = endpoint.path(mine).startsWith('runs/');
    const others = [user('bob'), showing(user('bob'), mine), ...(byRun ? [nobody] : [])];
    for (const other of others) {
      const answer = await call(app, endpoint, other, mine);
      expect({ caller: other.name, status: answer.status }).toEqual({
        caller: other.name,
        status: 404,
      });
    }
    app.model.push('Done.');
    expect((await call(app, endpoint, owner, mine)).status).toBe(endpoint.owner);
  });

  it.each(ENDPOINTS)('$name knows no ids that were never issued', async (endpoint) => {
    const app = await apps.open({ adapter });
    const invented = [
      'none',
      'a'.repeat(24),
      '..',
      '%00',
      'x'.repeat(90),
      '__proto__',
      'constructor',
    ];
    for (const id of invented) {
      const of = { sessionId: decodeURIComponent(id), runId: encodeURIComponent(id), callId: id };
      const path = endpoint.path({ ...of, sessionId: encodeURIComponent(id) });
      const client = request(app.url);
      const sent = client[endpoint.method](`/agent/${path}`).set(user('alice').headers);
      const answer = await (endpoint.body ? sent.send(endpoint.body(of)) : sent);
      expect(answer.status).toBe(404);
    }
  });

  it('lets nobody but the owner stop, read or answer a run that is under way', async () => {
    const app = await apps.open({ adapter });
    const gate = new Barrier();
    app.model.push([
      { type: 'text.delta', delta: 'so far' },
      gate,
      { type: 'finish', reason: 'end_turn' },
    ]);
    const alice = user('alice');
    const stream = await SseStream.open(`${app.url}/agent/chat/stream`, {
      headers: alice.headers,
      body: { message: 'hi', frontendTools: [PAGE_TITLE] },
    });
    const { runId, sessionId } = await stream.next('run.started');
    await gate.reached;
    for (const other of [user('bob'), nobody]) {
      const others = showing(other, { runId, sessionId, callId: '' }).headers;
      expect((await request(app.url).delete(`/agent/runs/${runId}`).set(others)).status).toBe(404);
      expect((await request(app.url).get(`/agent/runs/${runId}/events`).set(others)).status).toBe(
        404,
      );
    }
    const busy = await request(app.url)
      .post('/agent/chat')
      .set(alice.headers)
      .send({ message: 'again', sessionId });
    expect(busy.body).toMatchObject({ statusCode: 409, code: 'session_busy' });
    const cancelled = await request(app.url).delete(`/agent/runs/${runId}`).set(alice.headers);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', message: 'so far' });
    expect((await stream.all()).at(-1)).toMatchObject({
      type: 'run.finished',
      status: 'cancelled',
    });
  });

  it('issues ids that nobody can guess', async () => {
    const app = await apps.open({ adapter });
    const seen = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const { sessionId, runId } = await prepare(app, user('alice'));
      for (const id of [sessionId, runId]) {
        const random = id.slice(id.indexOf('_') + 1);
        expect(Buffer.from(random, 'base64url').length).toBeGreaterThanOrEqual(16);
        seen.add(random);
      }
    }
    expect(seen.size).toBe(10);
  });

  it('takes a user without an id for a mistake, never for nobody', async () => {
    const app = await apps.open({
      adapter,
      decorators: [],
      prepare: (nest) => {
        nest.useGlobalGuards({
          canActivate: (context) => {
            context.switchToHttp().getRequest<{ user?: unknown }>().user = { email: 'a@b.c' };
            return true;
          },
        });
      },
    });
    for (const path of ['chat', 'chat/stream']) {
      const answer = await request(app.url).post(`/agent/${path}`).send({ message: 'hi' });
      expect(answer.status).toBe(500);
      expect(answer.body).toMatchObject({ statusCode: 500, code: 'unknown_principal' });
      expect(answer.text).not.toContain('a@b.c');
    }
    expect((await request(app.url).get('/agent/sessions')).status).toBe(500);
    expect(app.model.requests).toHaveLength(0);
  });
});
