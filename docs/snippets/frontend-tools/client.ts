// #region client
import type { AgentEvent, ToolDefinition } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { eventsOf, open } from '../http-api/follow';

export interface BrowserTool extends ToolDefinition {
  run(input: JsonObject): unknown;
}

/** Sends a message, executes the agent's calls of these tools, and returns its last message. */
export async function ask(
  agent: string,
  headers: Readonly<Record<string, string>>,
  message: string,
  tools: readonly BrowserTool[],
): Promise<string> {
  const post = (body: object): RequestInit => ({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const frontendTools = tools.map(({ name, description, input_schema }) => ({
    name,
    description,
    input_schema,
  }));
  let sessionId = '';
  const stream = await open(`${agent}/chat/stream`, post({ message, frontendTools }));
  for await (const event of eventsOf(stream)) {
    if (event.type === 'run.started') sessionId = event.sessionId;
    if (event.type === 'frontend.call') {
      const answer = { sessionId, callId: event.callId, ...(await outcomeOf(event, tools)) };
      await fetch(`${agent}/chat/tool-result`, post(answer));
    }
    if (event.type === 'run.finished') return event.message;
  }
  throw new Error('The stream broke off.');
}

async function outcomeOf(
  { name, input }: Extract<AgentEvent, { type: 'frontend.call' }>,
  tools: readonly BrowserTool[],
): Promise<object> {
  try {
    return { result: await tools.find((tool) => tool.name === name)?.run(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
// #endregion client
