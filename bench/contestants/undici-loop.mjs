// The floor: the same loop with nothing between it and the bytes but undici and a parser.
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import { MODEL } from '../shop.cjs';
import { Answer, serve, tools } from './hand-written.mjs';

const { origin, pathname } = new URL(`${process.env.MODEL_URL}/chat/completions`);
const pool = new Pool(origin);

serve(async (messages, send, signal) => {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: pathname,
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: MODEL, messages, tools, stream: true }),
    signal,
  });
  if (statusCode !== 200) throw new Error(await body.text());
  const answer = new Answer(send);
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') answer.add(JSON.parse(data).choices[0]?.delta);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  return answer;
});
