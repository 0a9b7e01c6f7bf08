// Mastra's agent in an Express server.
// https://mastra.ai/reference/streaming/agents/stream
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import {
  findOrder,
  MAX_STEPS,
  MODEL,
  SYSTEM_PROMPT,
  TOOL_DESCRIPTION,
  TOOL_NAME,
} from '../shop.cjs';
import { serveChat } from './chat-endpoint.mjs';

const agent = new Agent({
  id: 'shop',
  name: 'shop',
  instructions: SYSTEM_PROMPT,
  model: { id: `bench/${MODEL}`, url: process.env.MODEL_URL, apiKey: 'none' },
  tools: {
    [TOOL_NAME]: createTool({
      id: TOOL_NAME,
      description: TOOL_DESCRIPTION,
      inputSchema: z.object({ id: z.number().int() }),
      execute: ({ id }) => Promise.resolve(findOrder(id)),
    }),
  },
});

serveChat(async (message, send, signal) => {
  const stream = await agent.stream(message, {
    maxSteps: MAX_STEPS,
    abortSignal: signal,
  });
  for await (const { type, payload } of stream.fullStream) relay(type, payload, send);
});

function relay(type, payload, send) {
  if (type === 'text-delta') send({ type: 'text', delta: payload.text });
  else if (type === 'tool-call') {
    send({ type: 'tool_call', name: payload.toolName, input: payload.args });
  } else if (type === 'tool-result') {
    send({ type: 'tool_result', name: payload.toolName, output: payload.result });
  } else if (type === 'error') throw payload.error;
}
