import {
  AgentService,
  AUDIT_SINK,
  defineTool,
  ToolRegistry,
  type AuditRecord,
  type ChatResult,
  type RegisteredTool,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import type { ScriptedToolCall } from 'nestjs-agent/testing';
import request from 'supertest';
import { Closers, ON_EXPRESS } from './http/agent-app';

/** A pending review: the call to settle, and its owner. */
interface Question {
  readonly runId: string;
  readonly callId: string;
  readonly principal?: string;
  readonly refund: JsonObject;
}

/** An application's own kind of tool: a reviewer decides later, outside the chat. */
class ReviewerQueue {
  readonly questions: Question[] = [];
  isClosed = false;

  tool(name: string, options: Partial<RegisteredTool> = {}): RegisteredTool {
    const tool = defineTool({
      name,
      description: 'Have a person decide on a refund',
      input: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
      output: { type: 'object', properties: { granted: { type: 'boolean' } } },
      execute: (refund, { call, runId = '', principal }) => {
        if (this.isClosed) throw new Error('The queue is closed.');
        this.questions.push({
          runId,
          callId: call.id,
          refund,
          ...(principal !== undefined && { principal }),
        });
      },
    });
    return { ...tool, kind: 'review', answer: { from: 'external' }, ...options };
  }
}

const alice = { authorization: 'Bearer alice' };
const bob = { authorization: 'Bearer bob' };

describe.each(ON_EXPRESS)('a kind of tools that is built outside, on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const CALL = { id: 'r1', name: 'review_refund', input: { order: 7 } };

  async function setUp(
    options: Partial<RegisteredTool> = {},
    toolCalls: ScriptedToolCall[] = [CALL],
  ) {
    const records: AuditRecord[] = [];
    const queue = new ReviewerQueue();
    const { app, url, model } = await apps.open({
      adapter,
      audit: { record: (record) => void records.push(record) },
      steps: [{ toolCalls }, 'It was decided.'],
    });
    const registry = app.get(ToolRegistry);
    registry.register(queue.tool('review_refund', options));
    expect(app.get(AUDIT_SINK)).toBeDefined();
    const agent = app.get(AgentService);
    const ask = async (): Promise<ChatResult> => {
      const { body } = await request(url)
        .post('/agent/chat')
        .set(alice)
        .send({ message: 'refund 7' });
      return body as ChatResult;
    };
    return { agent, ask, model, queue, records, registry, url };
  }

  it('parks until the other party has answered, and then goes on', async () => {
    const { agent, ask, model, queue, records } = await setUp();
    const asked = await ask();
    expect(asked).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ type: 'external', callId: 'r1', input: { order: 7 } }],
    });
    expect(queue.questions).toEqual([
      { runId: asked.runId, callId: 'r1', principal: 'alice', refund: { order: 7 } },
    ]);
    expect(records).toEqual([]);

    const answer = { callId: 'r1', type: 'result', result: { granted: true } } as const;
    const done = await agent.settle(asked.runId, answer, { principal: 'alice' });
    expect(done).toMatchObject({ status: 'completed', message: 'It was decided.' });
    expect(done.toolCalls).toMatchObject([{ id: 'r1', output: '{"granted":true}' }]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', content: '{"granted":true}', is_error: false }],
    });
    expect(records).toMatchObject([
      { tool: 'review_refund', kind: 'review', principal: 'alice', outcome: 'executed' },
    ]);
    await expect(agent.settle(asked.runId, answer, { principal: 'alice' })).rejects.toMatchObject({
      code: 'already_resolved',
    });
  });

  it('takes the answer from nobody but the application, and for nobody but the owner', async () => {
    const { agent, ask, url } = await setUp();
    const { runId } = await ask();
    const action = { callId: 'r1', type: 'result', result: { granted: true } } as const;
    // The user who requests the refund must not approve it.
    for (const [headers, status] of [
      [alice, 409],
      [bob, 404],
    ] as const) {
      const response = await request(url)
        .post(`/agent/runs/${runId}/actions`)
        .set(headers)
        .send({ actions: [action] });
      expect(response.status).toBe(status);
    }
    await expect(agent.resolve(runId, [action], { principal: 'alice' })).rejects.toMatchObject({
      code: 'not_pending',
    });
    for (const stranger of [{ principal: 'mallory' }, {}]) {
      await expect(agent.settle(runId, action, stranger)).rejects.toMatchObject({
        code: 'run_not_found',
      });
    }
    const wrong = { callId: 'r1', type: 'approve' } as const;
    await expect(agent.settle(runId, wrong, { principal: 'alice' })).rejects.toMatchObject({
      code: 'not_pending',
    });
    expect(await agent.settle(runId, action, { principal: 'alice' })).toMatchObject({
      status: 'completed',
    });
  });

  it('tells the model why there is no answer', async () => {
    const { agent, ask, model } = await setUp();
    const { runId } = await ask();
    const action = {
      callId: 'r1',
      type: 'result',
      error: 'Only 30 days after the order.',
    } as const;
    await agent.settle(runId, action, { principal: 'alice' });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ content: 'Only 30 days after the order.', is_error: true }],
    });
  });

  it('asks for an approval first, where a permission says so', async () => {
    const { agent, ask, queue } = await setUp({ permission: 'ask' });
    const { runId, pendingActions } = await ask();
    expect(pendingActions).toMatchObject([{ type: 'approval' }]);
    expect(queue.questions).toEqual([]);
    const owner = { principal: 'alice' };
    const parked = await agent.settle(runId, { callId: 'r1', type: 'approve' }, owner);
    expect(parked).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ type: 'external', callId: 'r1' }],
    });
    expect(queue.questions).toHaveLength(1);
    const done = await agent.settle(runId, { callId: 'r1', type: 'result', result: {} }, owner);
    expect(done.status).toBe('completed');
  });

  it('fails where the question cannot be put, and may be cancelled while it waits', async () => {
    const { ask, queue, agent, model, records } = await setUp();
    queue.isClosed = true;
    expect((await ask()).status).toBe('completed');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ content: 'The tool failed with an unexpected error.', is_error: true }],
    });

    const other = await setUp();
    const { runId } = await other.ask();
    const cancelled = await other.agent.cancel(runId, { principal: 'alice' });
    expect(cancelled.status).toBe('cancelled');
    expect(other.records).toMatchObject([{ outcome: 'interrupted', approval: 'none' }]);
    expect(records).toMatchObject([{ outcome: 'failed' }]);
    expect(agent).not.toBe(other.agent);
  });

  it('is given up where the user says something else', async () => {
    const { agent, ask, model, records, url } = await setUp();
    const { runId, sessionId } = await ask();
    await request(url).post('/agent/chat').set(alice).send({ message: 'never mind', sessionId });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('answer will not be used');
    expect(records).toMatchObject([{ outcome: 'interrupted' }]);
    const action = { callId: 'r1', type: 'result', result: {} } as const;
    await expect(agent.settle(runId, action, { principal: 'alice' })).rejects.toMatchObject({
      code: 'already_resolved',
    });
  });

  it('says that it is too early while other calls of the step run', async () => {
    const { agent, queue, registry } = await setUp({}, [CALL, { id: 's1', name: 'slow' }]);
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    registry.register(
      defineTool({ name: 'slow', description: 'Slow', execute: () => slow.then(() => 'done') }),
    );
    const run = await agent.start({ message: 'refund 7' }, { principal: 'alice' });
    while (queue.questions.length === 0) await new Promise(setImmediate);
    const answer = { callId: 'r1', type: 'result', result: {} } as const;
    const owner = { principal: 'alice' };
    await expect(agent.settle(run.runId, answer, owner)).rejects.toMatchObject({
      code: 'session_busy',
    });
    finish();
    expect((await run.finished).status).toBe('requires_action');
    expect((await agent.settle(run.runId, answer, owner)).status).toBe('completed');
  });

  it('is not offered where nobody can wait', async () => {
    const { model, url } = await setUp();
    const response = await request(url)
      .post('/agent/v1/chat/completions')
      .set(alice)
      .send({ model: 'agent', messages: [{ role: 'user', content: 'refund 7' }] });
    expect(response.status).toBe(200);
    const offered = model.requests[0]?.tools.map(({ name }) => name);
    expect(offered).toContain('add');
    expect(offered).not.toContain('review_refund');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ content: expect.stringContaining('an answer from outside'), is_error: true }],
    });
  });
});
