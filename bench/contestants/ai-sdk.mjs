// AI SDK in an Express server.
// https://ai-sdk.dev/cookbook/api-servers/express
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  isStepCount,
  pipeUIMessageStreamToResponse,
  streamText,
  tool,
  toUIMessageStream,
} from 'ai';
import express from 'express';
import { z } from 'zod';
import {
  findOrder,
  MAX_STEPS,
  MODEL,
  SYSTEM_PROMPT,
  TOOL_DESCRIPTION,
  TOOL_NAME,
} from '../shop.cjs';

const provider = createOpenAICompatible({
  name: 'scripted',
  baseURL: process.env.MODEL_URL,
  apiKey: 'none',
});
const model = provider(MODEL);
const tools = {
  [TOOL_NAME]: tool({
    description: TOOL_DESCRIPTION,
    inputSchema: z.object({ id: z.number().int() }),
    execute: ({ id }) => findOrder(id),
  }),
};

const app = express();
app.use(express.json());
app.post('/chat', async (request, response) => {
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  const result = streamText({
    model,
    instructions: SYSTEM_PROMPT,
    prompt: request.body.message,
    tools,
    stopWhen: isStepCount(MAX_STEPS),
    abortSignal: abort.signal,
    telemetry: { isEnabled: false },
  });
  await pipeUIMessageStreamToResponse({
    response,
    stream: toUIMessageStream({ stream: result.stream }),
  });
});
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
