import { deepEqual, equal, match } from 'node:assert/strict';
import { VersioningType, type INestApplication } from '@nestjs/common';
import type { AgentEvent, ChatResult } from 'nestjs-agent';
import { model } from './script.js';

/** Talks to the agent as a client does, and throws if an answer is not the expected one. */
export async function converse(app: INestApplication): Promise<void> {
  app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
  await app.listen(0, '127.0.0.1');
  try {
    const address = `${await app.getUrl()}/api`;
    equal((await post(`${address}/agent/chat`, undefined, { message: 'hello' })).status, 401);
    await chats(address);
    await streams(address);
    await asksFirst(address);
    model.assertComplete();
  } finally {
    await app.close();
  }
}

async function chats(address: string): Promise<void> {
  const response = await post(`${address}/agent/chat`, 'alice', { message: 'where is 17?' });
  equal(response.status, 200);
  const result = (await response.json()) as ChatResult;
  equal(result.message, 'Order 17 is yours.');
  equal(result.status, 'completed');
  deepEqual(
    result.toolCalls.map(({ name, output, isError }) => [name, isError ? 'error' : output]),
    [
      ['add', '42'],
      ['get_order', '{"id":17,"customer":"alice"}'],
      ['check_stock', '3 in stock for alice, checked'],
      ['check_stock', 'error'],
      ['whose_books', '[alice]'],
      ['count_books', '[3]'],
      ['balance_books', 'error'],
      ['north_left', '7'],
      ['south_left', '6'],
    ],
  );
  match(JSON.stringify(result.toolCalls[3]?.output), /quantity/);
  match(JSON.stringify(result.toolCalls[6]?.output), /The books are closed/);
}

/** Guards and handlers decide for the current caller: bob may see neither order nor books. */
async function streams(address: string): Promise<void> {
  const response = await post(`${address}/agent/chat/stream`, 'bob', { message: 'where is 17?' });
  equal(response.status, 200);
  match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as AgentEvent,
  );
  deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  // Results come as they happen, so their order is open.
  const results = events.flatMap((event) =>
    event.type === 'tool.result' ? [`${event.name} ${event.isError ? 'refused' : 'allowed'}`] : [],
  );
  deepEqual(results.sort(), ['get_order refused', 'whose_books refused']);
  const text = events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
  equal(text, 'You may not see it.');
  equal(events.at(-1)?.type, 'run.finished');
}

async function asksFirst(address: string): Promise<void> {
  const asked = await post(`${address}/agent/chat`, 'alice', { message: 'order three lamps' });
  const { status, runId, pendingActions } = (await asked.json()) as ChatResult;
  equal(status, 'requires_action');
  const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
  const answer = await post(`${address}/agent/runs/${runId}/actions`, 'alice', { actions });
  const result = (await answer.json()) as ChatResult;
  equal(result.message, 'It is ordered.');
  equal(result.toolCalls.at(-1)?.output, '{"customer":"alice","placed":true,"quantity":3}');
}

function post(url: string, token: string | undefined, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}
