import { getEventListeners } from 'node:events';
import { frozenCopy } from '../internal';
import { textMessage, toolUsesOf, type Message } from '../message';
import type { ChatModel, ModelEvent, ModelRequest } from '../model';
import type { ToolDefinition } from '../tool';
import { within } from './patience';
import { testGlobals } from './test-globals';

/** Models for the situations that the suite examines. Each function is called once for each test. */
export interface ChatModelContract {
  /** A model that answers every request in text. Required. */
  readonly answering: () => ChatModel | Promise<ChatModel>;
  /** A model that calls the tool `add` with `{ a: 2, b: 40 }` when asked to "add 2 and 40". */
  readonly calling?: () => ChatModel | Promise<ChatModel>;
  /** A model whose provider fails. */
  readonly failing?: () => ChatModel | Promise<ChatModel>;
  /** A model that sends the beginning of an answer and then nothing more. */
  readonly hanging?: () => ChatModel | Promise<ChatModel>;
  /** Cleans up after each test; nothing by default. */
  readonly destroy?: () => unknown;
}

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};

const QUESTION: ModelRequest = {
  system: 'You are a test.',
  messages: [textMessage('user', 'hello')],
  tools: [],
};
const SUM: ModelRequest = { messages: [textMessage('user', 'add 2 and 40')], tools: [ADD] };
/** Short enough for a user who presses Stop, and long enough for a slow machine. */
const PROMPT_MS = 2_000;

/**
 * The test suite of every `ChatModel`, for Jest or a runner with the same globals. Run it over
 * a model of your own.
 *
 * @param name the suite's name in the output
 * @param contract models for the situations that the suite examines; it skips missing ones
 * @throws Error outside a test runner
 * @example
 * import { describeChatModel } from 'nestjs-agent/testing';
 *
 * const parrot = defineModel({ name: 'parrot', stream: () => 'Hello!' });
 * describeChatModel('parrot', { answering: () => parrot });
 */
export function describeChatModel(name: string, contract: ChatModelContract): void {
  const { describe, it, afterEach, expect } = testGlobals();

  describe(`${name} as a chat model`, () => {
    afterEach(async () => {
      await contract.destroy?.();
    });

    async function read(
      model: ChatModel,
      request: ModelRequest,
      signal = new AbortController().signal,
    ): Promise<ModelEvent[]> {
      const events: ModelEvent[] = [];
      for await (const event of model.stream(request, { signal })) events.push(event);
      return events;
    }

    it('has a name and says whether it calls tools', async () => {
      const model = await contract.answering();
      expect(model.name.length > 0).toBe(true);
      expect(typeof model.capabilities.tools).toBe('boolean');
    });

    it('answers in text and ends with exactly one finish', async () => {
      const events = await read(await contract.answering(), QUESTION);
      const text = events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
      expect(text.length > 0).toBe(true);
      expect(events.filter(({ type }) => type === 'finish').length).toBe(1);
      const last = events.at(-1);
      expect(last?.type).toBe('finish');
      if (last?.type === 'finish' && last.usage !== undefined) {
        const { inputTokens, outputTokens, totalTokens } = last.usage;
        expect(totalTokens >= inputTokens + outputTokens).toBe(true);
      }
    });

    it('sends no empty deltas', async () => {
      const events = await read(await contract.answering(), QUESTION);
      expect(events.filter((event) => 'delta' in event && event.delta === '')).toEqual([]);
    });

    it('leaves the request as it is, and no listener on the signal', async () => {
      const { signal } = new AbortController();
      await read(await contract.answering(), frozenCopy(QUESTION), signal);
      expect(getEventListeners(signal, 'abort').length).toBe(0);
    });

    it('throws an AbortError where the signal was aborted before', async () => {
      const stream = read(await contract.answering(), QUESTION, AbortSignal.abort());
      expect(await failureOf(stream)).toMatchObject({ name: 'AbortError' });
    });

    it('can be left in the middle', async () => {
      const { signal } = new AbortController();
      const model = await contract.answering();
      for await (const event of model.stream(QUESTION, { signal })) {
        expect(typeof event.type).toBe('string');
        break;
      }
      expect(getEventListeners(signal, 'abort').length).toBe(0);
    });

    if (contract.calling !== undefined) {
      const { calling } = contract;

      it('calls a tool: whole arguments, equal to the deltas before them', async () => {
        const events = await read(await calling(), SUM);
        const calls = events.filter((event) => event.type === 'tool_use');
        expect(calls).toMatchObject([{ name: 'add', input: { a: 2, b: 40 } }]);
        const [call] = calls;
        expect((call?.id.length ?? 0) > 0).toBe(true);
        const deltas = events.filter(
          (event) => event.type === 'tool_use.delta' && event.id === call?.id,
        );
        if (deltas.length > 0) {
          const text = deltas.map((event) => ('delta' in event ? event.delta : '')).join('');
          expect(JSON.parse(text)).toEqual(call?.input);
        }
        expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_use' });
      });

      it('never uses the id of an earlier call again', async () => {
        const model = await calling();
        const first = (await read(model, SUM)).filter((event) => event.type === 'tool_use');
        const history: Message[] = [
          ...SUM.messages,
          { role: 'assistant', content: first },
          {
            role: 'user',
            content: first.map(({ id }) => ({
              type: 'tool_result' as const,
              tool_use_id: id,
              content: '42',
              is_error: false,
            })),
          },
          { role: 'assistant', content: [{ type: 'text', text: '42' }] },
          ...SUM.messages,
        ];
        const used = new Set(history.flatMap((message) => toolUsesOf(message)).map(({ id }) => id));
        const again = await read(await calling(), { ...SUM, messages: history });
        const ids = again.flatMap((event) => (event.type === 'tool_use' ? event.id : []));
        expect(ids.length).toBe(1);
        expect(ids.filter((id) => used.has(id))).toEqual([]);
      });
    }

    if (contract.failing !== undefined) {
      const { failing } = contract;

      it('throws a ModelError where its provider fails', async () => {
        const error = await failureOf(read(await failing(), QUESTION));
        expect(error).toMatchObject({ name: 'ModelError' });
        expect(error instanceof Error && error.message.length > 0).toBe(true);
      });
    }

    if (contract.hanging !== undefined) {
      const { hanging } = contract;

      it('ends promptly with an AbortError when it is cancelled, and lets go of everything', async () => {
        const controller = new AbortController();
        const { signal } = controller;
        const model = await hanging();
        const types: string[] = [];
        const reading = (async () => {
          for await (const event of model.stream(QUESTION, { signal })) {
            types.push(event.type);
            setImmediate(() => controller.abort());
          }
        })();
        const failure = within(failureOf(reading), PROMPT_MS, 'It did not end promptly.');
        expect(await failure).toMatchObject({ name: 'AbortError' });
        expect(types.includes('finish')).toBe(false);
        expect(getEventListeners(signal, 'abort').length).toBe(0);
      });
    }
  });
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}
