import request from 'supertest';
import { UsageService } from 'nestjs-agent';
import { Closers, ON_EXPRESS } from './http/agent-app';

const alice = { authorization: 'Bearer alice' };
const bob = { authorization: 'Bearer bob' };
/** A scripted call has 15 tokens. */
const limits = { tokensPerPrincipal: { tokens: 15, windowMs: 3_600_000 } };

describe.each(ON_EXPRESS)('a quota of tokens on %s', (adapter) => {
  const closers = new Closers();
  afterEach(() => closers.close());

  it('refuses what is asked after it is used up, in every protocol, and of nobody else', async () => {
    const { url, model } = await closers.open({ adapter, limits, steps: ['one', 'two'] });
    const http = request(url);
    await http.post('/agent/chat').set(alice).send({ message: 'hi' }).expect(200);
    const refused = await http.post('/agent/chat').set(alice).send({ message: 'hi' });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', statusCode: 429 });
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(3_660);
    const stream = await http.post('/agent/chat/stream').set(alice).send({ message: 'hi' });
    expect([stream.status, stream.headers['retry-after']]).toEqual([429, expect.any(String)]);
    const messages = [{ role: 'user', content: 'hi' }];
    const openai = await http
      .post('/agent/v1/chat/completions')
      .set(alice)
      .send({ model: 'agent', messages });
    expect(openai.status).toBe(429);
    expect(openai.body).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    const responses = await http.post('/agent/v1/responses').set(alice).send({ input: 'hi' });
    expect(responses.status).toBe(429);
    const id = 'thread';
    const part = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    const aiSdk = await http
      .post('/agent/ai-sdk')
      .set(alice)
      .send({ id, messages: [part] });
    expect(aiSdk.status).toBe(429);
    const agUi = await http
      .post('/agent/ag-ui')
      .set(alice)
      .send({
        threadId: id,
        runId: 'run',
        messages: [{ id: 'm1', role: 'user', content: 'hi' }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      });
    expect([agUi.status, agUi.body]).toEqual([
      429,
      expect.objectContaining({ code: 'quota_exceeded' }),
    ]);
    expect(Number(agUi.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(model.requests).toHaveLength(1);
    await http.post('/agent/chat').set(bob).send({ message: 'hi' }).expect(200);
  });

  it('ends a run between its steps, with its history whole', async () => {
    const { url, app } = await closers.open({
      adapter,
      limits,
      steps: [{ toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }, 'never'],
    });
    const { status, body } = await request(url)
      .post('/agent/chat')
      .set(alice)
      .send({ message: 'add' });
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'quota_exceeded' });
    const totals = await app.get(UsageService).totals({
      from: new Date(Date.now() - 3_600_000),
      to: new Date(Date.now() + 60_000),
      by: ['principal', 'agent', 'model'],
    });
    expect(totals).toMatchObject([
      { principal: 'alice', agent: 'agent', model: 'scripted', runs: 1, toolCalls: 1 },
    ]);
    expect(totals[0]?.usage.totalTokens).toBe(15);
    const sessions = await request(url).get('/agent/sessions').set(alice).expect(200);
    const [session] = sessions.body as { sessionId: string }[];
    const { body: said } = await request(url)
      .get(`/agent/sessions/${session?.sessionId}/messages`)
      .set(alice)
      .expect(200);
    expect(JSON.stringify(said)).toContain('tool_result');
  });

  it('is not given back with a conversation that is removed', async () => {
    const { url } = await closers.open({ adapter, limits, steps: ['one'] });
    const http = request(url);
    const { body } = await http.post('/agent/chat').set(alice).send({ message: 'hi' }).expect(200);
    const { sessionId } = body as { sessionId: string };
    await http.delete(`/agent/sessions/${sessionId}`).set(alice).expect(204);
    await http.post('/agent/chat').set(alice).send({ message: 'hi' }).expect(429);
  });
});
