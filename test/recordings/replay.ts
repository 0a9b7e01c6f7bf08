import type { ChatModel, ModelEvent, ToolDefinition } from 'nestjs-agent';

/** An answer as read by the library. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Extract<ModelEvent, { type: 'tool_use' }>[];
  readonly reason: string | undefined;
  readonly usage: Extract<ModelEvent, { type: 'finish' }>['usage'];
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
}

export async function replay(model: ChatModel, tools: readonly ToolDefinition[]): Promise<Answer> {
  const events: ModelEvent[] = [];
  let error: unknown;
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] as const;
  try {
    const { signal } = new AbortController();
    for await (const event of model.stream({ messages, tools }, { signal })) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const joined = (type: 'text.delta' | 'reasoning.delta') =>
    events.map((event) => (event.type === type ? event.delta : '')).join('');
  const end = events.find((event) => event.type === 'finish');
  return {
    text: joined('text.delta'),
    reasoning: joined('reasoning.delta'),
    calls: events.filter((event) => event.type === 'tool_use'),
    reason: end?.reason,
    usage: end?.usage,
    events,
    error,
  };
}
