import { uiMessageChunkSchema, type UIMessage, type UIMessageChunk, validateUIMessages } from 'ai';
import { as } from '../../http/every-endpoint';
import { SseStream } from '../../http/sse-client';

const schema = uiMessageChunkSchema();

/** The chunks of a stream, each checked as `ai` 6 does, which must end with `[DONE]`. */
export async function chunksIn(text: string): Promise<readonly UIMessageChunk[]> {
  const data = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length));
  expect(data.at(-1)).toBe('[DONE]');
  const chunks = data.slice(0, -1).map((each) => JSON.parse(each) as UIMessageChunk);
  for (const chunk of chunks) {
    expect({ chunk, ...(await schema.validate?.(chunk)) }).toMatchObject({ success: true });
  }
  return chunks;
}

/** Posts a body as it is and answers with its chunks. */
export async function post(
  url: string,
  body: object,
  user: string | null = 'alice',
): Promise<readonly UIMessageChunk[]> {
  const stream = await SseStream.open(`${url}/agent/ai-sdk`, {
    headers: user === null ? {} : as(user),
    body,
  });
  return chunksIn(await allOf(stream));
}

/** The text of a stream, once it has ended. */
export async function allOf(stream: SseStream): Promise<string> {
  if (!stream.response.readableEnded) {
    await new Promise((resolve) => stream.response.once('close', resolve));
  }
  return stream.text;
}

/** A message of the user. */
export function question(text: string, id = 'u1'): UIMessage {
  return { id, role: 'user', parts: [{ type: 'text', text }] };
}

/** The history of a chat, valid for `ai` 6. */
export async function historyOf(
  url: string,
  id: string,
  user: string | null = 'alice',
): Promise<UIMessage[]> {
  const headers = user === null ? {} : as(user);
  const answer = await fetch(`${url}/agent/ai-sdk/${id}/messages`, { headers });
  expect(answer.status).toBe(200);
  const messages = (await answer.json()) as UIMessage[];
  expect(await validateUIMessages({ messages })).toEqual(messages);
  return messages;
}
