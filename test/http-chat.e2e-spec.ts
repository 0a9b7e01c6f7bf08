import { SESSION_STORE, type SessionStore } from 'nestjs-agent';
import request from 'supertest';
import { ADAPTERS, Closers, PAGE_TITLE, removed } from './http/agent-app';
import { SseStream } from './http/sse-client';

type Headers = Readonly<Record<string, string>>;

const alice = { authorization: 'Bearer alice' };
const bob = { authorization: 'Bearer bob' };

describe.each(ADAPTERS)('the agent over HTTP on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('answers /chat with what the run did, and goes on with the session', async () => {
    const { url, model } = await apps.open({
      adapter,
      steps: [
        { toolCalls: [{ name: 'add', input: { a: 2, b: 40 } }] },
        'It is 42.',
        'You are welcome.',
      ],
    });
    const first = await request(url).post('/agent/chat').set(alice).send({ message: 'add 2, 40' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      sessionId: expect.stringMatching(/^ses_/),
      runId: expect.stringMatching(/^run_/),
      status: 'completed',
      stopReason: 'end_turn',
      message: 'It is 42.',
      toolCalls: [{ name: 'add', input: { a: 2, b: 40 }, output: '42', isError: false }],
      pendingActions: [],
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      tokensUsed: 30,
    });
    const { sessionId } = first.body as { sessionId: string };
    const second = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'thanks', sessionId });
    expect(second.body).toMatchObject({ sessionId, message: 'You are welcome.' });
    expect(model.requests[2]?.messages).toHaveLength(5);
  });

  it('streams every event in order, numbered from one', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        { text: ['Let me ', 'see.'], toolCalls: [{ name: 'read_note', input: { id: 7 } }] },
        'Buy milk.',
      ],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'note 7' },
    });
    const events = await stream.all();
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'step.started',
      'text.delta',
      'text.delta',
      'step.finished',
      'tool.call',
      'tool.result',
      'step.started',
      'text.delta',
      'step.finished',
      'run.finished',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(stream.ids).toEqual(events.map(({ seq }) => String(seq)));
    expect(await stream.next('tool.result')).toMatchObject({
      name: 'read_note',
      isError: false,
      output: '{"id":7,"text":"buy milk"}',
    });
  });

  it('asks before it destroys, over JSON and over a stream', async () => {
    removed.length = 0;
    const { url } = await apps.open({
      adapter,
      steps: [
        {
          toolCalls: [
            { name: 'remove_file', input: { name: 'a' } },
            { name: 'delete_note', input: { id: 3 } },
          ],
        },
        'Done with that.',
      ],
    });
    const asked = await request(url).post('/agent/chat').set(alice).send({ message: 'tidy up' });
    expect(asked.body).toMatchObject({ status: 'requires_action', stopReason: 'requires_action' });
    const { runId, pendingActions } = asked.body as {
      runId: string;
      pendingActions: { callId: string; type: string }[];
    };
    expect(pendingActions.map(({ type }) => type)).toEqual(['approval', 'approval']);
    const [first, second] = pendingActions.map(({ callId }) => callId);
    const actions = (headers: Headers, body: object) =>
      request(url).post(`/agent/runs/${runId}/actions`).set(headers).send(body);

    const half = await actions(alice, { actions: [{ callId: first, type: 'approve' }] });
    expect(half.status).toBe(200);
    expect(half.body).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ callId: second }],
    });
    expect(removed).toEqual([]);
    const again = await actions(alice, { actions: [{ callId: first, type: 'approve' }] });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: 'already_resolved' });
    const misfit = await actions(alice, { actions: [{ callId: second, type: 'result' }] });
    expect(misfit.body).toMatchObject({ statusCode: 409, code: 'not_pending' });
    const stranger = await actions(bob, { actions: [{ callId: second, type: 'approve' }] });
    expect(stranger.body).toMatchObject({ statusCode: 404, code: 'run_not_found' });

    const stream = await SseStream.open(`${url}/agent/runs/${runId}/actions`, {
      headers: alice,
      body: { actions: [{ callId: second, type: 'reject', reason: 'keep it' }] },
    });
    const events = await stream.all();
    expect(events.at(-1)).toMatchObject({
      type: 'run.finished',
      status: 'completed',
      message: 'Done with that.',
    });
    expect(removed).toEqual(['a']);
    const done = await request(url).get(`/agent/runs/${runId}`).set(alice);
    expect(done.body).toMatchObject({ status: 'completed', message: 'Done with that.' });
  });

  it('streams where a run stands that still waits', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        {
          toolCalls: [
            { name: 'remove_file', input: { name: 'a' } },
            { name: 'remove_file', input: { name: 'b' } },
          ],
        },
      ],
    });
    const asked = await request(url).post('/agent/chat').set(alice).send({ message: 'tidy up' });
    const { runId, pendingActions } = asked.body as {
      runId: string;
      pendingActions: { callId: string }[];
    };
    const stream = await SseStream.open(`${url}/agent/runs/${runId}/actions`, {
      headers: alice,
      body: { actions: [{ callId: pendingActions[0]?.callId, type: 'approve' }] },
    });
    const events = await stream.all();
    expect(events).toEqual([
      expect.objectContaining({
        type: 'run.finished',
        status: 'requires_action',
        pendingActions: [expect.objectContaining({ callId: pendingActions[1]?.callId })],
      }),
    ]);
  });

  it('has the browser carry out its own tools while the stream is open', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [{ toolCalls: [{ name: 'page_title' }] }, 'You are on the start page.'],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'where am I?', frontendTools: [PAGE_TITLE] },
    });
    const { callId } = await stream.next('frontend.call');
    const { sessionId } = await stream.next('run.started');
    const deliver = (headers: Headers, body: object) =>
      request(url).post('/agent/chat/tool-result').set(headers).send(body);
    expect((await deliver(bob, { sessionId, callId, result: 'forged' })).status).toBe(404);
    expect((await deliver({}, { sessionId, callId, result: 'forged' })).status).toBe(404);
    expect((await deliver(alice, { sessionId, callId: 'call_x', result: 1 })).body).toMatchObject({
      success: false,
    });
    const delivered = await deliver(alice, { sessionId, callId, result: { title: 'Start' } });
    expect(delivered.status).toBe(200);
    expect(delivered.body).toEqual({ success: true, message: expect.any(String) });
    expect((await deliver(alice, { sessionId, callId, result: 'second' })).body).toMatchObject({
      success: false,
    });
    const events = await stream.all();
    expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
      output: '{"title":"Start"}',
      isError: false,
    });
    expect((await deliver(alice, { sessionId, callId, result: 'late' })).body).toMatchObject({
      success: false,
    });
  });

  it('hears why a tool of the browser failed, and nothing once the run is cancelled', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        { toolCalls: [{ name: 'page_title' }] },
        'Alas.',
        { toolCalls: [{ name: 'page_title' }] },
      ],
    });
    const open = () =>
      SseStream.open(`${url}/agent/chat/stream`, {
        headers: alice,
        body: { message: 'where am I?', frontendTools: [PAGE_TITLE] },
      });
    const deliver = (body: object) =>
      request(url).post('/agent/chat/tool-result').set(alice).send(body);
    const failing = await open();
    await deliver({
      sessionId: (await failing.next('run.started')).sessionId,
      callId: (await failing.next('frontend.call')).callId,
      error: 'The page has no title.',
    });
    await failing.all();
    expect(await failing.next('tool.result')).toMatchObject({
      isError: true,
      output: expect.stringContaining('The page has no title.'),
    });

    const cancelled = await open();
    const { sessionId, runId } = await cancelled.next('run.started');
    const { callId } = await cancelled.next('frontend.call');
    await request(url).delete(`/agent/runs/${runId}`).set(alice);
    expect((await deliver({ sessionId, callId, result: 1 })).body).toMatchObject({
      success: false,
    });
    expect((await cancelled.all()).at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it('ends /chat where the browser has to act, and goes on with its result', async () => {
    const { url, model } = await apps.open({
      adapter,
      steps: [{ toolCalls: [{ name: 'page_title' }] }, 'The start page.'],
    });
    const asked = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'where?', frontendTools: [PAGE_TITLE] });
    expect(asked.body).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ type: 'frontend', name: 'page_title' }],
    });
    const { runId, pendingActions } = asked.body as {
      runId: string;
      pendingActions: { callId: string }[];
    };
    const callId = pendingActions[0]?.callId;
    const answered = await request(url)
      .post(`/agent/runs/${runId}/actions`)
      .set(alice)
      .send({ actions: [{ callId, type: 'result', result: null }], frontendTools: [PAGE_TITLE] });
    expect(answered.body).toMatchObject({ status: 'completed', message: 'The start page.' });
    expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: callId, is_error: false },
    ]);
  });

  it.each([
    ['a name of the server', [{ ...PAGE_TITLE, name: 'add' }]],
    ['a bad name', [{ ...PAGE_TITLE, name: 'page-title' }]],
    ['one name twice', [PAGE_TITLE, PAGE_TITLE]],
    ['too many', Array.from({ length: 65 }, (_, at) => ({ ...PAGE_TITLE, name: `tool_${at}` }))],
    ['too large a one', [{ ...PAGE_TITLE, description: 'x'.repeat(16_384) }]],
    ['no object as input', [{ ...PAGE_TITLE, input_schema: { type: 'string' } }]],
  ])('refuses frontend tools with %s', async (_what, frontendTools) => {
    const { url, model } = await apps.open({ adapter });
    for (const path of ['chat', 'chat/stream']) {
      const refused = await request(url)
        .post(`/agent/${path}`)
        .set(alice)
        .send({ message: 'hi', frontendTools });
      expect(refused.status).toBe(400);
      expect(refused.body.code).toMatch(/^invalid_/);
    }
    expect(model.requests).toHaveLength(0);
  });

  it('shows each caller their own tools, sessions and runs', async () => {
    const { url } = await apps.open({ adapter, steps: ['Hello alice.', 'Hello nobody.'] });
    const names = async (headers: Headers) => {
      const { body } = await request(url).get('/agent/tools').set(headers);
      return (body as { name: string }[]).map(({ name }) => name);
    };
    expect(await names(alice)).toContain('hidden');
    expect(await names(bob)).not.toContain('hidden');
    expect((await request(url).get('/agent/tools/hidden').set(alice)).body).toMatchObject({
      name: 'hidden',
      requestExample: {},
    });
    expect((await request(url).get('/agent/tools/hidden').set(bob)).body).toMatchObject({
      statusCode: 404,
      code: 'tool_not_found',
    });

    const { body } = await request(url).post('/agent/chat').set(alice).send({ message: 'hi' });
    const { sessionId } = body as { sessionId: string };
    expect((await request(url).get('/agent/sessions').set(alice)).body).toMatchObject([
      { sessionId },
    ]);
    expect((await request(url).get('/agent/sessions').set(bob)).body).toEqual([]);
    const messages = await request(url).get(`/agent/sessions/${sessionId}/messages`).set(alice);
    expect(messages.body).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
    const removedSession = await request(url).delete(`/agent/sessions/${sessionId}`).set(alice);
    expect(removedSession.status).toBe(204);
    expect((await request(url).get('/agent/sessions').set(alice)).body).toEqual([]);
    const gone = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'hi', sessionId });
    expect(gone.body).toMatchObject({ statusCode: 404, code: 'session_not_found' });
  });

  it('takes pictures and files, and says what is wrong with them', async () => {
    const { url } = await apps.open({
      adapter,
      steps: ['I cannot see it.'],
      limits: { bodyBytes: 2_000, uiBodyBytes: 4_000, attachments: { maxBytes: 30_000 } },
    });
    const post = (body: object) => request(url).post('/agent/chat').set(alice).send(body);
    const bytes = (size: number): string =>
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size)]).toString(
        'base64',
      );
    const picture = (size: number) => ({
      type: 'image',
      mediaType: 'image/png',
      data: bytes(size),
    });
    // Above the bound of a body without attachments.
    const sent = await post({
      message: 'See',
      content: [picture(20_000), { type: 'text', text: '?' }],
    });
    expect(sent.body).toMatchObject({ status: 'completed' });
    for (const [content, statusCode, code] of [
      [[picture(30_001)], 413, 'attachment_too_large'],
      [[{ ...picture(1), mediaType: 'image/gif' }], 400, 'attachment_refused'],
      [
        [{ type: 'image', mediaType: 'image/png', url: 'http://127.0.0.1/' }],
        400,
        'attachment_refused',
      ],
      [Array.from({ length: 9 }, () => picture(1)), 400, 'attachment_refused'],
      [[{ type: 'sound', data: '' }], 400, 'invalid_request'],
      [[], 400, 'invalid_input'],
    ] as const) {
      expect((await post({ content })).body).toMatchObject({ statusCode, code });
    }
    const options = await post({ message: 'hi', modelOptions: { temperature: 1 } });
    expect(options.body).toMatchObject({ statusCode: 400, code: 'invalid_input' });
    const long = { model: 'agent', messages: [{ role: 'user', content: 'x'.repeat(5_000) }] };
    expect((await request(url).post('/agent/v1/chat/completions').send(long)).status).toBe(413);
  });

  it('replaces a run by another message, for its owner alone', async () => {
    const { url } = await apps.open({ adapter, steps: ['Two.', 'Three.', 'Mine.'] });
    const send = async (body: object, as = alice) =>
      (await request(url).post('/agent/chat').set(as).send(body)).body as Record<string, string>;
    const { sessionId, runId } = await send({ message: '1 and 1?' });
    const replaced = { sessionId, replaceRun: runId, messageId: 'question-2' };
    expect(await send({ message: 'mine', ...replaced }, bob)).toMatchObject({ statusCode: 404 });
    expect(await send({ message: 'no', replaceRun: runId })).toMatchObject({ statusCode: 400 });
    const long = { message: 'no', sessionId, messageId: 'x'.repeat(101) };
    expect(await send(long)).toMatchObject({ statusCode: 400 });
    const again = await send({ message: '1 and 2?', ...replaced });
    const messages = `/agent/sessions/${sessionId}/messages`;
    expect((await request(url).get(messages).set(alice)).body).toMatchObject([
      { id: 'question-2', runId: again['runId'], content: [{ text: '1 and 2?' }] },
      { runId: again['runId'], content: [{ text: 'Three.' }] },
    ]);
    expect(await send({ message: 'no', ...replaced })).toMatchObject({
      statusCode: 409,
      code: 'run_not_replaceable',
    });
  });

  it('lists sessions by pages of 50, the newest first', async () => {
    const { app, url } = await apps.open({ adapter, steps: [] });
    const store = app.get<SessionStore>(SESSION_STORE);
    const ids = Array.from({ length: 60 }, (_, index) => `ses_${index}`);
    const clock = jest.spyOn(Date, 'now');
    for (const [index, id] of ids.entries()) {
      clock.mockReturnValue(Date.UTC(2027, 0, 1) + index);
      await store.create({ id, owner: 'alice' });
    }
    clock.mockRestore();
    const listed = async (query: string) => {
      const { body } = await request(url).get(`/agent/sessions${query}`).set(alice);
      return (body as { sessionId: string }[]).map(({ sessionId }) => sessionId);
    };
    const newest = ids.toReversed();
    expect(await listed('')).toEqual(newest.slice(0, 50));
    expect(await listed('?limit=2&offset=1')).toEqual(newest.slice(1, 3));
    expect(await listed('?offset=50')).toEqual(newest.slice(50));
    expect(await listed('?limit=200&other=1')).toEqual(newest);
    expect(await listed('?offset=60')).toEqual([]);
  });

  it('reads messages whole, or by pages from the last one', async () => {
    const { url } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    let sessionId: string | undefined;
    for (const message of ['1', '2', '3']) {
      const { body } = await request(url)
        .post('/agent/chat')
        .set(alice)
        .send({ message, sessionId });
      ({ sessionId } = body as { sessionId: string });
    }
    const texts = async (query: string) => {
      const path = `/agent/sessions/${sessionId}/messages${query}`;
      const { body } = await request(url).get(path).set(alice);
      return (body as { content: { text: string }[] }[]).map(({ content }) => content[0]?.text);
    };
    expect(await texts('')).toEqual(['1', 'One.', '2', 'Two.', '3', 'Three.']);
    expect(await texts('?limit=2')).toEqual(['3', 'Three.']);
    expect(await texts('?limit=3&offset=2')).toEqual(['One.', '2', 'Two.']);
    expect(await texts('?limit=4&offset=4')).toEqual(['1', 'One.']);
    expect(await texts('?offset=5')).toEqual(['1']);
    expect(await texts('?offset=6')).toEqual([]);
    expect(await texts('?limit=200&other=1')).toHaveLength(6);
    const path = `/agent/sessions/${sessionId}/messages?limit=1`;
    expect((await request(url).get(path).set(bob)).status).toBe(404);
  });

  it.each(['sessions', 'sessions/any/messages'])(
    'refuses pages of %s that are none',
    async (list) => {
      const { url } = await apps.open({ adapter, steps: [] });
      const limit = 'limit must be a whole number from 1 to 200';
      const offset = 'offset must be a whole number, 0 or more';
      for (const [query, message] of [
        ...['0', '201', '-1', '1.5', 'ten', '', '1e2', '%201', '1&limit=2'].map((value) => [
          `limit=${value}`,
          [limit],
        ]),
        ...['-1', '0.5', 'x', '99999999999999999999'].map((value) => [`offset=${value}`, [offset]]),
        ['limit=x&offset=x', [limit, offset]],
      ] as const) {
        for (const headers of [alice, {}]) {
          const { status, body } = await request(url)
            .get(`/agent/${list}?${String(query)}`)
            .set(headers);
          expect([query, status, body]).toEqual([
            query,
            400,
            { statusCode: 400, message, error: 'Bad Request', code: 'invalid_request' },
          ]);
        }
      }
    },
  );

  it('knows nobody by the session they show', async () => {
    const { url } = await apps.open({ adapter, steps: ['Hello.'] });
    const { body } = await request(url).post('/agent/chat').send({ message: 'hi' });
    const { sessionId, runId } = body as { sessionId: string; runId: string };
    expect((await request(url).get('/agent/sessions')).body).toEqual([]);
    expect((await request(url).get(`/agent/runs/${runId}`)).status).toBe(404);
    const shown = await request(url).get(`/agent/runs/${runId}`).set('X-Agent-Session', sessionId);
    expect(shown.body).toMatchObject({ sessionId, runId, status: 'completed' });
    const adopted = await request(url)
      .get(`/agent/runs/${runId}`)
      .set(alice)
      .set('X-Agent-Session', sessionId);
    expect(adopted.status).toBe(404);
    expect(
      (await request(url).get(`/agent/sessions/${sessionId}/messages`).set(alice)).status,
    ).toBe(404);
  });
});
