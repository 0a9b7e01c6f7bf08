import { Logger } from '@nestjs/common';
import {
  defineModel,
  fallback,
  offline,
  openai,
  react,
  type ChatModel,
  type ModelEvent,
} from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import { Barrier, describeChatModel, ScriptedModel } from 'nestjs-agent/testing';
import { DONE, finish, ModelServer, type Reply, text, toolCall } from './support/models';

const INPUT = { a: 2, b: 40 };
const SAID: ModelEvent = { type: 'text.delta', delta: 'Hel' };

/** A contract over a server of which each situation is one scripted reply. */
function served(
  make: (server: ModelServer) => ChatModel,
  replies: Readonly<Record<'answering' | 'calling' | 'failing' | 'hanging', Reply>>,
) {
  const servers: ModelServer[] = [];
  const situation = (name: keyof typeof replies) => async () => {
    const server = await ModelServer.start();
    servers.push(server);
    return make(server.on(replies[name], replies[name], replies[name]));
  };
  return {
    answering: situation('answering'),
    calling: situation('calling'),
    failing: situation('failing'),
    hanging: situation('hanging'),
    destroy: () => Promise.all(servers.splice(0).map((server) => server.stop())),
  };
}

// What the provider refuses is logged.
beforeAll(() => Logger.overrideLogger(false));

const retry = { initialDelayMs: 1, maxDelayMs: 1 };

describeChatModel(
  'openai()',
  served(({ url }) => openai({ model: 'm', apiKey: 'k', baseURL: url, retry }), {
    answering: { chunks: [text('Hel'), text('lo'), finish('stop'), DONE] },
    calling: {
      chunks: [
        toolCall(0, { id: 'c', name: 'add', args: '{"a":2' }),
        toolCall(0, { args: ',"b":40}' }),
        finish('tool_calls'),
        DONE,
      ],
    },
    failing: { status: 500, chunks: ['{}'] },
    hanging: { chunks: [text('Hel')], end: 'never' },
  }),
);

function event(type: string, value: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
}
const said = event('response.output_text.delta', { output_index: 0, delta: 'Hel' });
const completed = event('response.completed', { response: { status: 'completed', output: [] } });

describeChatModel(
  "openai({ api: 'responses' })",
  served(({ url }) => openai({ model: 'm', apiKey: 'k', baseURL: url, api: 'responses', retry }), {
    answering: { chunks: [said, completed] },
    calling: {
      chunks: [
        event('response.output_item.added', {
          output_index: 0,
          item: { type: 'function_call', call_id: 'c', name: 'add', arguments: '' },
        }),
        event('response.function_call_arguments.delta', {
          output_index: 0,
          delta: JSON.stringify(INPUT),
        }),
        completed,
      ],
    },
    failing: { status: 500, chunks: ['{}'] },
    hanging: { chunks: [said], end: 'never' },
  }),
);

const hello = event('content_block_delta', {
  index: 0,
  delta: { type: 'text_delta', text: 'Hel' },
});
const stop = (reason: string) => event('message_delta', { delta: { stop_reason: reason } });

describeChatModel(
  'anthropic()',
  served(
    ({ url }) => anthropic({ model: 'm', apiKey: 'k', baseURL: url.replace('/v1', ''), retry }),
    {
      answering: { chunks: [hello, stop('end_turn')] },
      calling: {
        chunks: [
          event('content_block_start', {
            index: 0,
            content_block: { type: 'tool_use', id: 'c', name: 'add', input: {} },
          }),
          event('content_block_delta', {
            index: 0,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(INPUT) },
          }),
          stop('tool_use'),
        ],
      },
      failing: { status: 529, chunks: ['{}'] },
      hanging: { chunks: [hello], end: 'never' },
    },
  ),
);

describeChatModel('offline()', {
  answering: () => offline(),
  calling: () => offline(),
  hanging: () => offline({ deltaDelayMs: 60_000 }),
});

const scripted = {
  answering: () => new ScriptedModel(['Hello', 'Hello']),
  calling: () => {
    let count = 0;
    const call = () => ({
      toolCalls: [{ id: `${Date.now()}${Math.random()}${count++}`, name: 'add', input: INPUT }],
    });
    return new ScriptedModel([call, call]);
  },
  hanging: () => new ScriptedModel([[SAID, new Barrier()]]),
};
describeChatModel('ScriptedModel', scripted);

const failing = () =>
  defineModel({
    name: 'failing',
    stream: () => Promise.reject(new Error('no')),
  });
describeChatModel('fallback()', {
  answering: () => fallback([failing(), scripted.answering()]),
  calling: () => fallback([failing(), scripted.calling()]),
  failing: () => fallback([failing(), failing()]),
  hanging: () => fallback([failing(), scripted.hanging()]),
});

const TEXT_CALL = `<tool_call>${JSON.stringify({ name: 'add', arguments: INPUT })}</tool_call>`;
describeChatModel('react()', {
  answering: () => react(new ScriptedModel(['<answer>Hello</answer>'])),
  calling: () => react(new ScriptedModel([TEXT_CALL, TEXT_CALL])),
  failing: () => react(failing()),
  hanging: () => react(scripted.hanging()),
});

describeChatModel('defineModel()', {
  answering: () => defineModel({ name: 'own', stream: () => 'Hello' }),
  calling: () =>
    defineModel({
      name: 'own',
      stream: async () => ({
        toolCalls: [{ id: `${Math.random()}`, name: 'add', input: INPUT }],
      }),
    }),
  failing,
  hanging: () =>
    defineModel({
      name: 'own',
      stream: async function* () {
        yield 'Hel';
        await new Promise(() => undefined);
      },
    }),
});

// Node's fetch leaves its listener on the signal that it is given.
const fetching = served(
  ({ url }) =>
    defineModel({
      name: 'own',
      stream: async function* (_, { signal }) {
        const { body } = await fetch(url, { method: 'POST', signal });
        if (body !== null) yield* body.pipeThrough(new TextDecoderStream());
      },
    }),
  {
    answering: { chunks: ['Hello'] },
    calling: {},
    failing: {},
    hanging: { chunks: ['Hel'], end: 'never' },
  },
);
describeChatModel('defineModel() over fetch', {
  answering: fetching.answering,
  hanging: fetching.hanging,
  destroy: fetching.destroy,
});
