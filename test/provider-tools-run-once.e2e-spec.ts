import { createAnthropic } from '@ai-sdk/anthropic';
import { type ChatModel, openai, textMessage } from 'nestjs-agent';
import { aiSdk } from 'nestjs-agent/ai-sdk';
import { anthropic } from 'nestjs-agent/anthropic';
import { block, collect, delta, frame, said, serverForEachTest, start } from './support/models';
import { contentOf, contentUpToText } from './support/models/said-content';

const retry = { initialDelayMs: 1, maxDelayMs: 1 };
const MAIL = { type: 'mcp_call', id: 'mcp_1', name: 'send_mail', status: 'in_progress' };
const PICTURE = { type: 'image_generation_call', id: 'ig_1', status: 'in_progress' };
const FAILED = { status: 'failed', error: { code: 'server_error', message: 'Failed.' } };
const RUN = { type: 'server_tool_use', id: 'srv_1', name: 'code_execution', input: {} };
const SAID = frame({ type: 'response.output_text.delta', output_index: 1, delta: 'Hm.' });
const CODE = { type: 'input_json_delta', partial_json: '{"code":"send()"}' };

interface Protocol {
  readonly model: (url: string) => ChatModel;
  /** What a provider says as it begins to run a tool. */
  readonly begun: readonly string[];
  /** A text that follows; none if the provider cannot go on. */
  readonly text?: string;
  readonly tool: { readonly name: string; readonly [field: string]: unknown };
}

const responses = (baseURL: string): ChatModel =>
  openai({ model: 'm', apiKey: 'k', baseURL, retry, api: 'responses' });

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'OpenAI Responses': {
    model: responses,
    begun: [frame({ type: 'response.output_item.added', output_index: 0, item: MAIL })],
    text: SAID,
    tool: { id: 'mcp_1', name: 'send_mail' },
  },
  'OpenAI Responses, which draws,': {
    model: responses,
    begun: [frame({ type: 'response.output_item.added', output_index: 0, item: PICTURE })],
    text: SAID,
    tool: { id: 'ig_1', name: 'image_generation' },
  },
  'OpenAI Responses, whose gateway asked again,': {
    model: responses,
    begun: [
      frame({ type: 'response.output_item.added', output_index: 0, item: MAIL }),
      frame({ type: 'response.created', response: {} }),
    ],
    text: SAID,
    tool: { id: 'mcp_1', name: 'send_mail' },
  },
  'OpenAI Responses, which failed without a stream,': {
    model: responses,
    begun: [frame({ type: 'response.failed', response: { ...FAILED, output: [MAIL] } })],
    tool: { id: 'mcp_1', name: 'send_mail' },
  },
  'Chat Completions': {
    model: (baseURL) => openai({ model: 'm', apiKey: 'k', baseURL, retry }),
    begun: [delta({ executed_tools: [{ index: 0, type: 'python', arguments: '{"code":"x"}' }] })],
    text: delta({ content: 'Hm.' }),
    tool: { name: 'python', input: { code: 'x' } },
  },
  'Anthropic Messages': {
    model: (url) => anthropic({ model: 'm', apiKey: 'k', baseURL: url.replace('/v1', ''), retry }),
    begun: [start(), block(0, RUN, CODE)],
    text: said(1, 'Hm.'),
    tool: { id: 'srv_1', name: 'code_execution', input: { code: 'send()' } },
  },
  'the AI SDK': {
    model: (baseURL) => aiSdk(createAnthropic({ apiKey: 'k', baseURL })('m'), { retry }),
    begun: [start({ id: 'msg', model: 'm' }), block(0, RUN, CODE)],
    text: said(1, 'Hm.'),
    tool: { id: 'srv_1', name: 'code_execution' },
  },
};

/** Before its first event an answer is asked for again, unless a tool may have had its effect. */
describe.each(Object.entries(PROTOCOLS))('a tool that %s began', (_name, protocol) => {
  const server = serverForEachTest();

  it('is not run again after the connection broke, and is part of the history', async () => {
    const model = protocol.model(server.url);
    server.on({ chunks: protocol.begun, end: 'torn' });
    const { events, error } = await collect(model);
    expect(error).toMatchObject({ name: 'ModelError', isRetryable: true });
    expect(server.requests).toHaveLength(1);
    const [tool, ...others] = events;
    expect(tool).toMatchObject({ type: 'provider_tool', ...protocol.tool });
    expect(tool).not.toHaveProperty('output');
    expect(others).toEqual([]);

    // No provider takes back a call without its result.
    server.on({ status: 400, chunks: ['{}'] });
    const content = await contentOf([...events, { type: 'finish', reason: 'end_turn' }]);
    const answer = { role: 'assistant' as const, content };
    const messages = [textMessage('user', 'Mail.'), answer, textMessage('user', 'Did you?')];
    await collect(model, { messages });
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('Did you?');
    expect(sent).not.toContain(protocol.tool.name);
  });

  it('is told of if the run is cancelled, for which no provider waits', async () => {
    if (protocol.text === undefined) return;
    server.on({ chunks: [...protocol.begun, protocol.text], end: 'never' });
    const content = await contentUpToText(protocol.model(server.url));
    expect(content).toContainEqual(
      expect.objectContaining({ type: 'provider_tool', name: protocol.tool.name }),
    );
  });
});
