// OpenAI Agents SDK in an Express server, its model on Chat Completions.
// https://openai.github.io/openai-agents-js/guides/streaming
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
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

setTracingDisabled(true);
const client = new OpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'none' });
const agent = new Agent({
  name: 'shop',
  instructions: SYSTEM_PROMPT,
  model: new OpenAIChatCompletionsModel(client, MODEL),
  tools: [
    tool({
      name: TOOL_NAME,
      description: TOOL_DESCRIPTION,
      parameters: z.object({ id: z.number().int() }),
      execute: ({ id }) => findOrder(id),
    }),
  ],
});

serveChat(async (message, send, signal) => {
  const stream = await run(agent, message, {
    stream: true,
    maxTurns: MAX_STEPS,
    signal,
  });
  for await (const event of stream) relay(event, send);
  await stream.completed;
});

function relay(event, send) {
  if (event.type === 'raw_model_stream_event') {
    if (event.data.type === 'output_text_delta') send({ type: 'text', delta: event.data.delta });
  } else if (event.type === 'run_item_stream_event') {
    const { name, item } = event;
    if (name === 'tool_called') {
      send({ type: 'tool_call', name: item.rawItem.name, input: item.rawItem.arguments });
    } else if (name === 'tool_output') {
      send({ type: 'tool_result', name: item.rawItem.name, output: item.output });
    }
  }
}
