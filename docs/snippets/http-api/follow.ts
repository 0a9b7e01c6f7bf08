import type { AgentEvent } from 'nestjs-agent';

// #region read
/** Opens a stream. Runs in browsers and in Node, as all of this. */
export async function open(url: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, init);
  if (response.status === 200 && response.body !== null) return response.body;
  throw new Error(`The agent answered ${response.status}: ${await response.text()}`);
}

/** The events of a stream, as they come. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<AgentEvent> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const frames = (text + decoder.decode(step.value, { stream: true })).split('\n\n');
    text = frames.pop() ?? ''; // the beginning of the next frame
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]; // a comment has none
      if (data !== undefined) yield JSON.parse(data) as AgentEvent;
    }
  }
}
// #endregion read

// #region follow
/** Sends a message and follows its run to the end, over broken connections too. */
export async function* chat(
  agent: string, // such as '/agent'
  message: string,
  headers: Record<string, string>,
): AsyncGenerator<AgentEvent> {
  let last: AgentEvent | undefined;
  let stream = await open(`${agent}/chat/stream`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  for (;;) {
    try {
      for await (const event of eventsOf(stream)) yield (last = event);
    } catch (error) {
      if (last === undefined) throw error; // unknown whether a run has begun
    }
    if (last === undefined || last.type === 'run.finished') return;
    stream = await open(`${agent}/runs/${last.runId}/events`, {
      headers: { ...headers, 'last-event-id': String(last.seq) },
    });
  }
}
// #endregion follow
