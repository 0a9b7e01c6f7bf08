// The loop that one writes by hand on the `openai` SDK.
import OpenAI from 'openai';
import { MODEL } from '../shop.cjs';
import { Answer, serve, tools } from './hand-written.mjs';

const client = new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'none' });

serve(async (messages, send, signal) => {
  const stream = await client.chat.completions.create(
    { model: MODEL, messages, tools, stream: true },
    { signal },
  );
  const answer = new Answer(send);
  for await (const chunk of stream) answer.add(chunk.choices[0]?.delta);
  return answer;
});
