// LangChain's agent in an Express server, its tokens and messages as they come.
// https://docs.langchain.com/oss/javascript/langchain/streaming
import { ChatOpenAI } from '@langchain/openai';
import express from 'express';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { findOrder, MODEL, SYSTEM_PROMPT, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';

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

const app = express();
app.use(express.json());
app.post('/chat', async (request, response) => {
  const abort = new AbortController();
  response.on('close', () => abort.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  try {
    const stream = await agent.stream(
      { messages: [{ role: 'user', content: request.body.message }] },
      { streamMode: 'messages', signal: abort.signal },
    );
    for await (const [message] of stream) relay(message, send);
    send({ type: 'done' });
  } catch (error) {
    send({ type: 'error', message: error.message });
  } finally {
    response.end();
  }
});
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

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
