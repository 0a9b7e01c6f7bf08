// LangChain's agent in an Express server, its tokens and messages as they come.
// https://docs.langchain.com/oss/javascript/langchain/streaming
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { findOrder, MODEL, SYSTEM_PROMPT, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';
import { serveChat } from './chat-endpoint.mjs';

const agent = createAgent({
  model: new ChatOpenAI({
    model: MODEL,
    apiKey: 'none',
    configuration: { baseURL: process.env.MODEL_URL },
  }),
  systemPrompt: SYSTEM_PROMPT,
  tools: [
    tool(({ id }) => findOrder(id), {
      name: TOOL_NAME,
      description: TOOL_DESCRIPTION,
      schema: z.object({ id: z.number().int() }),
    }),
  ],
});

serveChat(async (message, send, signal) => {
  const stream = await agent.stream(
    { messages: [{ role: 'user', content: message }] },
    { streamMode: 'messages', signal },
  );
  for await (const [message] of stream) relay(message, send);
});

function relay(message, send) {
  if (message.type === 'tool') {
    send({ type: 'tool_result', name: message.name, output: message.content });
    return;
  }
  for (const { name, args } of message.tool_call_chunks ?? []) {
    send({ type: 'tool_call', name, input: args });
  }
  if (message.text !== '') send({ type: 'text', delta: message.text });
}
