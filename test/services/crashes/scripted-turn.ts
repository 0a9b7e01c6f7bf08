import { appendFileSync } from 'node:fs';
import {
  defineTool,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  type SessionStore,
  type ToolRegistry,
} from 'nestjs-agent';

/** Reports that the turn reached a point; a process that must die there never returns. */
export type PointReached = (point: string) => void;

export const OWNER = { principal: 'alice' } as const;
export const QUESTION = 'Tidy my things up.';
/** The same, for a slow model. */
export const SLOW_QUESTION = 'Tidy my things up, and take your time.';

/** A history long enough for this threshold to be crossed by the turns of `compacting`. */
export const COMPACTION = { thresholdTokens: 900, keepRecentTokens: 200, keepOriginals: true };

/** Longer than streamed text may stay unsaved. */
const PAUSE_MS = 1_500;

const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

type Call = { readonly id: string; readonly name: string };

/** The model's answers, by the number of its calls since the user's message. */
const REPLIES: readonly { readonly text: string; readonly calls: readonly Call[] }[] = [
  {
    text: 'I look first, then I write.',
    calls: [
      { id: 'look_1', name: 'look' },
      { id: 'look_2', name: 'look' },
      { id: 'write_1', name: 'write' },
    ],
  },
  { text: 'Now I remove it.', calls: [{ id: 'remove_1', name: 'remove' }] },
  { text: 'All is tidy.', calls: [] },
];

/** The model of the turn. It announces every event before it yields it. */
export class TurnModel implements ChatModel {
  readonly name = 'turn';
  readonly capabilities = { tools: true };

  constructor(private readonly reached: PointReached) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const isSummary = request.tools.length === 0;
    const step = isSummary ? 'summary' : `step ${stepOf(request) + 1}`;
    for (const [index, event] of eventsOf(request, isSummary).entries()) {
      this.reached(`model ${step}, before event ${index + 1}`);
      await Promise.resolve();
      yield event;
      const isSlow = JSON.stringify(request.messages).includes(SLOW_QUESTION);
      if (isSlow && step === 'step 1' && index === 0)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.reached(`model ${step}, after its end`);
  }
}

function stepOf({ messages }: ModelRequest): number {
  const asked = messages.findLastIndex(({ content }) =>
    content.some(
      (block) => block.type === 'text' && [QUESTION, SLOW_QUESTION].includes(block.text),
    ),
  );
  return messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
}

function eventsOf(request: ModelRequest, isSummary: boolean): readonly ModelEvent[] {
  if (isSummary) {
    return [
      { type: 'text.delta', delta: 'They talked ' },
      { type: 'text.delta', delta: 'about things.' },
      { type: 'finish', reason: 'end_turn', usage: USAGE },
    ];
  }
  const { text, calls } = REPLIES[stepOf(request)] ?? { text: 'Done.', calls: [] };
  return [
    { type: 'text.delta', delta: text },
    ...calls.flatMap(({ id, name }): ModelEvent[] => [
      { type: 'tool_use.delta', id, name, delta: '{}' },
      { type: 'tool_use', id, name, input: {} },
    ]),
    { type: 'finish', reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
  ];
}

/** Tools whose effects outlive the process: each writes one line to a file. */
export function registerTools(
  registry: ToolRegistry,
  deeds: string,
  sessionId: string,
  reached: PointReached,
): void {
  const deed = (name: string) => async (): Promise<string> => {
    reached(`tool ${name}, before its deed`);
    appendFileSync(deeds, `${sessionId} ${name}\n`);
    reached(`tool ${name}, after its deed`);
    await Promise.resolve();
    return `${name}: done`;
  };
  const declare = (name: string, options: object): void => {
    registry.register(
      defineTool({ name, description: `Does ${name}`, execute: deed(name), ...options }),
    );
  };
  declare('look', { readOnly: true });
  declare('write', {});
  declare('remove', { destructive: true });
}

/** A store that announces each of its writes, before and after. */
export function announcingStore(inner: SessionStore, reached: PointReached): SessionStore {
  const counts = new Map<string, number>();
  return new Proxy(inner, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      const method = value as (...args: unknown[]) => unknown;
      if (!['append', 'acquire', 'release', 'renew'].includes(String(key)))
        return method.bind(target);
      return async (...args: unknown[]) => {
        const count = (counts.get(String(key)) ?? 0) + 1;
        counts.set(String(key), count);
        reached(`store ${String(key)} ${count}, before`);
        const result = await method.apply(target, args);
        reached(`store ${String(key)} ${count}, after`);
        return result;
      };
    },
  });
}
