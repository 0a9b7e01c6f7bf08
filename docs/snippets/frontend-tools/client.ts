import type { AgentEvent, JsonObject, ToolDefinition } from 'nestjs-agent';

export interface BrowserTool extends ToolDefinition {
  run(input: JsonObject): unknown;
}

// #region client
/** Says something, carries out what the agent calls here, and answers its last words. */
export async function ask(
  agent: string,
  headers: Readonly<Record<string, string>>,
  message: string,
  tools: readonly BrowserTool[],
): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(agent + path, {
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
  for await (const event of eventsOf(await post('/chat/stream', { message, frontendTools }))) {
    if (event.type === 'run.started') sessionId = event.sessionId;
    if (event.type === 'frontend.call') {
      const { callId } = event;
      await post('/chat/tool-result', { sessionId, callId, ...(await outcomeOf(event, tools)) });
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

/** Frames end with an empty line; their data is the event. */
async function* eventsOf({ body }: Response): AsyncGenerator<AgentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    const frames = (text + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) yield JSON.parse(data) as AgentEvent;
    }
  }
}
// #endregion client
