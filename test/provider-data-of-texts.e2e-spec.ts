import type { PGlite } from '@electric-sql/pglite';
import request from 'supertest';
import type { ModelEvent } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { Closers, ON_EXPRESS } from './http/agent-app';
import { newDatabase } from './support/new-database';

const providerData = { scripted: { signature: 'for the provider alone' } };
const said = (delta: string): ModelEvent => ({ type: 'text.delta', delta });
const SIGNED: readonly ModelEvent[] = [
  said('It is '),
  { type: 'text.end' },
  said('4'),
  said('2'),
  { type: 'text.end', providerData },
  said('.'),
  { type: 'text.end' },
  { type: 'text.end', providerData },
  { type: 'finish', reason: 'end_turn' },
];
const KEPT = [
  { type: 'text', text: 'It is ' },
  { type: 'text', text: '42', providerData },
  { type: 'text', text: '.' },
  { type: 'text', text: '', providerData },
];

// Making a database takes seconds, so both adapters share one.
let database: PGlite;
beforeAll(async () => {
  database = await newDatabase();
});
afterAll(() => database.close());

describe.each(ON_EXPRESS)('what a provider wants back of a text, on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it.each(['memory', 'a database'])('is kept in %s and goes back, unseen', async (place) => {
    const sessions = place === 'memory' ? {} : { store: sqlStore({ client: database }) };
    const { url, model } = await apps.open({
      adapter,
      sessions,
      steps: [SIGNED, 'Yes.', SIGNED, SIGNED],
    });
    const as = (sent: request.Test) => sent.set('authorization', 'Bearer alice');
    const first = await as(request(url).post('/agent/chat/stream')).send({
      message: 'What is it?',
    });
    const [, sessionId] = /"sessionId":"([^"]+)"/.exec(first.text) ?? [];
    const [, runId] = /"runId":"([^"]+)"/.exec(first.text) ?? [];
    const replayed = await as(request(url).get(`/agent/runs/${runId}/events`));
    const second = await as(request(url).post('/agent/chat')).send({ message: 'Sure?', sessionId });
    expect(model.requests[1]?.messages[1]).toEqual({ role: 'assistant', content: KEPT });
    const whole = await as(request(url).post('/agent/chat')).send({ message: 'Again', sessionId });
    expect(whole.body).toMatchObject({ message: 'It is 42.' });
    const messages = await as(request(url).get(`/agent/sessions/${sessionId}/messages`));
    expect((messages.body as object[])[1]).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'It is 42.' }],
    });
    const completion = await as(request(url).post('/agent/v1/chat/completions')).send({
      model: 'agent',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(completion.body).toMatchObject({ choices: [{ message: { content: 'It is 42.' } }] });
    for (const answer of [first, replayed, second, whole, messages, completion]) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('alone');
    }
  });
});
