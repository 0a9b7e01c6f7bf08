// A chat endpoint written by hand on Express: the common part of the loops without a framework.
import { z } from 'zod';
import { findOrder, MAX_STEPS, SYSTEM_PROMPT, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';
import { serveChat } from './chat-endpoint.mjs';

const input = z.object({ id: z.number().int() });

export const tools = [
  {
    type: 'function',
    function: {
      name: TOOL_NAME,
      description: TOOL_DESCRIPTION,
      parameters: z.toJSONSchema(input),
    },
  },
];

/** Serves conversations; `ask` streams one answer of the model and returns its text and calls. */
export function serve(ask) {
  serveChat((message, send, signal) => converse(ask, message, send, signal));
}

async function converse(ask, message, send, signal) {
  const messages = [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'user', content: message },
  ];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { text, calls } = await ask(messages, send, signal);
    if (calls.length === 0) return;
    messages.push({ role: 'assistant', content: text || null, tool_calls: calls });
    for (const call of calls) {
      const { name } = call.function;
      send({ type: 'tool_call', name, input: call.function.arguments });
      const content = runTool(call);
      send({ type: 'tool_result', name, output: content });
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

function runTool(call) {
  try {
    const { id } = input.parse(JSON.parse(call.function.arguments));
    return JSON.stringify(findOrder(id));
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}

/** Assembles an answer from its deltas, and forwards the text for the user. */
export class Answer {
  text = '';
  calls = [];

  constructor(send) {
    this.send = send;
  }

  add(delta) {
    if (delta?.content) {
      this.text += delta.content;
      this.send({ type: 'text', delta: delta.content });
    }
    for (const part of delta?.tool_calls ?? []) {
      const call = (this.calls[part.index] ??= {
        id: part.id,
        type: 'function',
        function: { name: part.function.name, arguments: '' },
      });
      call.function.arguments += part.function?.arguments ?? '';
    }
  }
}
