import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AgentEvent, ChatResult, ToolDefinition } from 'nestjs-agent';
import { Barrier, type ScriptedStep } from 'nestjs-agent/testing';
import request from 'supertest';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { shownJson } from '../../../test/support/shown-json';
import { AppModule } from './app.module';
import { prepare } from './conventions';
import { chat } from './follow';

const TEXT = guideText('http-api');
const ROWS = guideRows('http-api');
const ada = { authorization: 'Bearer ada' };
const cancel = { toolCalls: [{ name: 'cancel_order', input: { id: 17 } }] };
const OPEN_ORDER: ToolDefinition = {
  name: 'open_order',
  description: 'Open an order on the screen',
  input_schema: { type: 'object', properties: { id: { type: 'integer' } } },
};

function text(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

function json<T = object>(name: string): T {
  return JSON.parse(text(name)) as T;
}

/** Each frame of a stream, with values that differ between runs masked. */
function frames(stream: string): unknown[] {
  return stream
    .trim()
    .split('\n\n')
    .map((frame) => {
      const [id, event, data = ''] = frame.split('\n');
      const body = JSON.parse(data.replace('data: ', '')) as Record<string, unknown>;
      return [id, event, shownJson({ ...body, ...(body['model'] !== undefined && { model: '' }) })];
    });
}

describe('the guide to the HTTP API', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());
  const actOn = (runId: string, actions: readonly object[]) =>
    guide.post(`/agent/runs/${runId}/actions`, { actions });

  it('shows what /chat takes and answers', async () => {
    const { sessionId } = await guide.chat({}, 'Hello.');
    const call = { toolCalls: [{ name: 'get_order', input: { id: 17 } }] };
    const answer = await guide.chat({ ...json('chat.json'), sessionId }, call, 'Order 17 is open.');
    expect(shownJson(answer)).toEqual(shownJson(json('answer.json')));
    const { body } = await guide.get(`/agent/runs/${answer.runId}`);
    expect(shownJson(body)).toEqual(shownJson(answer));
    expect((await guide.get(`/agent/runs/${answer.runId}`, 'grace')).body).toMatchObject({
      code: 'run_not_found',
    });
  });

  it('takes pictures and files', async () => {
    guide.model.push('I cannot see it.');
    const stream = await guide.stream('/agent/chat/stream', json('picture.json'));
    expect(await stream.next('notice')).toMatchObject({ code: 'attachment_not_seen' });
    const [picture] = json<{ content: object[] }>('picture.json').content;
    const refused = await guide.post('/agent/chat', {
      content: [{ ...picture, mediaType: 'image/gif' }],
    });
    expect(refused.body).toMatchObject({ statusCode: 400, code: 'attachment_refused' });
  });

  it('answers again, and otherwise', async () => {
    const { sessionId, runId } = await guide.chat({}, 'Order 17 is open.');
    const again = { ...json('again.json'), sessionId, replaceRun: runId };
    await guide.chat(again, 'Order 18 is sent.');
    const { body } = await guide.get(`/agent/sessions/${sessionId}/messages`);
    expect(body).toMatchObject([
      { content: [{ text: json<{ message: string }>('again.json').message }] },
      { content: [{ text: 'Order 18 is sent.' }] },
    ]);
    const refused = await guide.post('/agent/chat', again);
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([
      409,
      'run_not_replaceable',
    ]);
  });

  it('shows the beginning of a stream, to curl as well', async () => {
    const command = text('stream.sh').replace('http://127.0.0.1:3000', guide.url);
    guide.model.push({ text: ['Order 17 ', 'is open.'] });
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(frames(stdout).slice(0, 4)).toEqual(frames(text('stream.txt')));
  });

  it('shows what a run waits for, and how it is answered', async () => {
    const changes = { toolCalls: [...cancel.toolCalls, ...cancel.toolCalls] };
    const page = { toolCalls: [{ name: 'open_order', input: { id: 17 } }] };
    const asked = await guide.chat(
      { frontendTools: [OPEN_ORDER] as never },
      { toolCalls: [...changes.toolCalls, ...page.toolCalls] },
    );
    expect(asked).toMatchObject({ status: 'requires_action', stopReason: 'requires_action' });
    expect(shownJson(asked.pendingActions.slice(0, 1))).toEqual(shownJson(json('asked.json')));
    const { actions } = json<{ actions: readonly object[] }>('actions.json');
    const own = actions.map((action, index) => ({
      ...action,
      callId: asked.pendingActions[index]?.callId,
    }));

    const half = await actOn(asked.runId, own.slice(1));
    expect(half.body).toMatchObject({ status: 'requires_action', pendingActions: [{}] });
    guide.model.push('Done.');
    const { body } = await actOn(asked.runId, own.slice(0, 1));
    expect(body).toMatchObject({
      status: 'completed',
      toolCalls: [
        { input: { id: 18 }, isError: false },
        { isError: true, output: expect.stringContaining('Keep it.') },
        { output: '{"opened":17}' },
      ],
    });
    const again = await actOn(asked.runId, own.slice(0, 1));
    expect(again.body).toMatchObject({ statusCode: 409, code: 'already_resolved' });
    const other = await actOn(asked.runId, [{ callId: 'call_x', type: 'approve' }]);
    expect(other.body).toMatchObject({ statusCode: 409, code: 'not_pending' });
  });

  it('leaves an approval open whose edited input is wrong', async () => {
    const { runId, pendingActions } = await guide.chat({}, cancel);
    const [{ callId } = { callId: '' }] = pendingActions;
    const refused = await actOn(runId, [{ callId, type: 'approve', input: { id: 'x' } }]);
    expect(refused.body).toMatchObject({ statusCode: 400, code: 'invalid_input' });
    const remembered = [{ callId, type: 'approve', input: { id: 1 }, remember: true }];
    expect((await actOn(runId, remembered)).status).toBe(400);
    const { body } = await request(guide.url).delete(`/agent/runs/${runId}`).set(ada);
    expect(body).toMatchObject({
      status: 'cancelled',
      stopReason: 'cancelled',
      pendingActions: [],
    });
  });

  it("takes a browser's result while the stream is open", async () => {
    guide.model.push({ toolCalls: [{ name: 'open_order', input: { id: 17 } }] }, 'It is open.');
    const stream = await guide.stream('/agent/chat/stream', {
      message: 'Open it',
      frontendTools: [OPEN_ORDER],
    });
    const { sessionId } = await stream.next('run.started');
    const { callId } = await stream.next('frontend.call');
    const result = { ...json('tool-result.json'), sessionId, callId };
    const delivered = await guide.post('/agent/chat/tool-result', result);
    const [, quoted = ''] = /`({ "success": true[^}]*})`/.exec(TEXT) ?? [];
    expect(delivered.body).toEqual(JSON.parse(quoted));
    const late = await guide.post('/agent/chat/tool-result', result);
    expect(late.body).toMatchObject({ success: false });
    expect((await stream.all()).at(-1)).toMatchObject({ message: 'It is open.' });
  });

  it('lists tools and says which model answers', async () => {
    const { body } = await guide.get('/agent/tools');
    expect((body as unknown[]).slice(0, 1)).toEqual(json('tools.json'));
    const health = await request(guide.url).get('/agent/health');
    expect({ ...(shownJson(health.body) as object), model: '' }).toEqual({
      ...(shownJson(json('health.json')) as object),
      model: '',
    });
  });

  it('shows an error, and who gets none of ours', async () => {
    expect((await guide.post('/agent/chat', { mesage: 'Hi' })).body).toEqual(json('error.json'));
    const { body } = await guide.get('/agent/tools', 'eve');
    expect(body).toEqual({ statusCode: 403, message: 'Forbidden resource', error: 'Forbidden' });
    const form = await request(guide.url)
      .post('/agent/chat')
      .set(ada)
      .type('form')
      .send('message=1');
    expect(form.body).toMatchObject({ statusCode: 415, code: 'unsupported_media_type' });
    const long = await guide.post('/agent/chat', { message: 'x'.repeat(8_001) });
    expect(long.body).toMatchObject({ statusCode: 400, code: 'invalid_input' });
    const large = await guide.post('/agent/chat', { message: 'x'.repeat(262_144) });
    expect(large.body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
  });

  it('has the same errors for the own endpoints of the application', async () => {
    guide.model.push('It is open.', new Error('The model is gone.'));
    const { body } = await guide.post('/assistant', { question: 'Order 17?' });
    expect(body).toEqual({ answer: 'It is open.' });
    const failed = await guide.post('/assistant', { question: 'Order 17?' });
    expect(failed.body).toEqual({ answer: expect.stringMatching(/^Sorry: /) });
    const long = await guide.post('/assistant', { question: 'x'.repeat(8_001) });
    expect(long.body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
    expect(long.body).toMatchObject({ code: 'invalid_input' });
  });

  it('serves an endpoint that another module brings', async () => {
    const { text } = await guide.post('/tool-names', { prefix: 'c' });
    expect(text.split('\n\n').filter(Boolean)).toEqual(['data: cancel_order', 'data: count_stock']);
    const large = await guide.post('/tool-names', { prefix: 'x'.repeat(65_536) });
    expect(large.body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
  });

  it('follows a run over a broken connection', async () => {
    const gate = new Barrier();
    guide.model.push([
      { type: 'text.delta', delta: 'One ' },
      gate,
      { type: 'text.delta', delta: 'two.' },
      { type: 'finish', reason: 'end_turn' },
    ]);
    const events: AgentEvent[] = [];
    for await (const event of chat(`${guide.url}/agent`, 'Count', ada)) {
      events.push(event);
      if (event.type !== 'text.delta' || event.delta !== 'One ') continue;
      await gate.reached;
      (guide.app.getHttpServer() as Server).closeAllConnections();
      gate.open();
    }
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', message: 'One two.' });
    const over = await request(guide.url)
      .get(`/agent/runs/${events[0]?.runId}/events`)
      .set({ ...ada, 'last-event-id': '6' });
    expect(over.status).toBe(204);
    await expect(chat(`${guide.url}/agent`, '', ada).next()).rejects.toThrow('answered 400');
  });

  it('gives up on a run that is gone', async () => {
    const gate = new Barrier();
    guide.model.push([gate]);
    const following = chat(`${guide.url}/agent`, 'Count', ada);
    const { value } = (await following.next()) as { value: AgentEvent };
    await gate.reached;
    const { sessionId } = value as Extract<AgentEvent, { type: 'run.started' }>;
    (guide.app.getHttpServer() as Server).closeAllConnections();
    await request(guide.url).delete(`/agent/sessions/${sessionId}`).set(ada);
    await expect(following.next()).rejects.toThrow('answered 404');
  });

  it('lists every field of every event', async () => {
    const seen = new Map<string, Set<string>>();
    const see = ({ type, ...event }: AgentEvent) => {
      const fields = Object.keys(event).filter((key) => key !== 'runId' && key !== 'seq');
      expect(event).toMatchObject({ runId: expect.any(String), seq: expect.any(Number) });
      seen.set(type, new Set([...(seen.get(type) ?? []), ...fields]));
    };
    const look = async (step: ScriptedStep) => {
      guide.model.push(step);
      const stream = await guide.stream('/agent/chat/stream', { message: 'Go on' });
      (await stream.all()).forEach(see);
    };
    await look([
      { type: 'reasoning.delta', delta: 'Hm.' },
      { type: 'text.delta', delta: 'Let me see.' },
      { type: 'source', url: 'https://example.com/17', title: 'Order 17' },
      { type: 'provider_tool', id: 'p1', name: 'web_search', input: {}, output: 'found' },
      { type: 'tool_use.delta', id: '1', name: 'count_stock', delta: '{}' },
      { type: 'tool_use', id: '1', name: 'count_stock', input: {} },
      { type: 'tool_use', id: '2', name: 'cancel_order', input: { id: 17 } },
      { type: 'finish', reason: 'tool_use' },
    ]);
    await look(new Error('The model is gone.'));
    guide.model.push({ toolCalls: [{ name: 'open_order' }] });
    const stream = await guide.stream('/agent/chat/stream', {
      message: 'Open it',
      frontendTools: [OPEN_ORDER],
    });
    const call = await stream.next('frontend.call');
    see(call);
    await request(guide.url).delete(`/agent/runs/${call.runId}`).set(ada);
    await stream.all();
    see(json<AgentEvent>('../sessions/compaction.json'));

    const told = ROWS.filter(([name = '']) => seen.has(name)).map(([name = '', cell = '']) => [
      name,
      [...cell.matchAll(/\w+/g)].map(String).sort().join(', '),
    ]);
    const fields = [...seen].map(([type, names]) => [type, [...names].sort().join(', ')]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(fields));
    expect(seen.size).toBe(16);
  });

  it('stands behind the conventions of the application', async () => {
    const prefixed = await GuideApp.start(AppModule, prepare);
    const { body, headers } = await prefixed
      .get('/api/agent/tools')
      .set('origin', 'https://shop.example.com');
    await prefixed.close();
    expect((body as readonly unknown[]).length).toBe(3);
    expect(headers['access-control-allow-origin']).toBe('https://shop.example.com');
  });

  it.each([
    ['express', () => new ExpressAdapter()],
    ['fastify', () => new FastifyAdapter()],
  ])('lets pages of the other origin stop runs, on %s', async (_, adapter) => {
    const other = await GuideApp.start(AppModule, prepare, adapter());
    const { headers } = await request(other.url)
      .options('/api/agent/runs/run_1')
      .set('origin', 'https://shop.example.com')
      .set('access-control-request-method', 'DELETE');
    await other.close();
    expect(headers['access-control-allow-methods']).toContain('DELETE');
  });

  it('lets only so many runs go on at once', async () => {
    const gate = new Barrier();
    guide.model.push([gate], [gate]);
    const streams = [
      await guide.stream('/agent/chat/stream', { message: 'One' }),
      await guide.stream('/agent/chat/stream', { message: 'Two' }),
    ];
    const { body } = await guide.post('/agent/chat', { message: 'Three' });
    expect(body).toMatchObject({ statusCode: 429, code: 'too_many_runs' });
    for (const stream of streams) {
      const { runId } = await stream.next('run.started');
      const cancelled = await request(guide.url).delete(`/agent/runs/${runId}`).set(ada);
      expect((cancelled.body as ChatResult).status).toBe('cancelled');
    }
  });
});
