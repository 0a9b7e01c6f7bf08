import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answers of a service: first a call of `add`, then, after the result, a text. */
export interface Answers {
  readonly call: readonly object[];
  readonly text: readonly object[];
}

export interface FakeService {
  readonly url: string;
  /** The request bodies that it received. */
  readonly asked: readonly string[];
  close(): void;
}

/** Answers in events as the service streams them: the call, and then the text. */
export async function serve({ call, text }: Answers): Promise<FakeService> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      asked.push(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of asked.length === 1 ? call : text) response.write(frameOf(event));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

function frameOf(event: object): string {
  const { type } = event as { readonly type?: string };
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
}

const args = '{"a":2,"b":40}';

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
export const OPENAI: Answers = {
  call: openAiAnswer(
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'add' },
    { arguments: '', status: 'in_progress' },
    { arguments: args, status: 'completed' },
    [
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 0,
        delta: args,
      },
    ],
  ),
  text: openAiAnswer(
    { type: 'message', id: 'msg_1', role: 'assistant' },
    { content: [], status: 'in_progress' },
    { content: [{ type: 'output_text', text: 'It is 42.', annotations: [] }], status: 'completed' },
    ['It is ', '42.'].map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta,
    })),
  ),
};

function openAiAnswer(item: object, begun: object, done: object, pieces: object[]): object[] {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-5.4' };
  const usage = {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 25,
  };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, ...begun } },
    ...pieces,
    { type: 'response.output_item.done', output_index: 0, item: { ...item, ...done } },
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [{ ...item, ...done }], usage },
    },
  ];
}

/** @see https://platform.claude.com/docs/en/build-with-claude/streaming */
export const ANTHROPIC: Answers = {
  call: anthropicAnswer(
    { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
    [{ type: 'input_json_delta', partial_json: args }],
    'tool_use',
  ),
  text: anthropicAnswer(
    { type: 'text', text: '' },
    ['It is ', '42.'].map((text) => ({ type: 'text_delta', text })),
    'end_turn',
  ),
};

function anthropicAnswer(content_block: object, deltas: object[], stop_reason: string): object[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 12, cache_read_input_tokens: 8, output_tokens: 1 },
  };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
}

/** @see https://ai.google.dev/api/generate-content */
export const GOOGLE: Answers = {
  call: googleAnswer([
    { functionCall: { name: 'add', args: { a: 2, b: 40 } }, thoughtSignature: 'c2lnbmVk' },
  ]),
  text: googleAnswer([{ text: 'It is ' }], [{ text: '42.' }]),
};

function googleAnswer(...pieces: object[][]): object[] {
  const candidate = (parts: object[]) => ({ index: 0, content: { role: 'model', parts } });
  const usageMetadata = {
    promptTokenCount: 20,
    cachedContentTokenCount: 8,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 25,
  };
  return [
    ...pieces.map((parts) => ({ candidates: [candidate(parts)] })),
    { candidates: [{ ...candidate([]), finishReason: 'STOP' }], usageMetadata },
  ];
}
