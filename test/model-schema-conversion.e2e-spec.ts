import { openai, type ToolDefinition } from 'nestjs-agent';
import type { JsonSchema } from 'nestjs-agent/types';
import { anthropic } from 'nestjs-agent/anthropic';
import { collect, frame, serverForEachTest, toolCall } from './support/models';

const SEARCH: ToolDefinition = {
  name: 'search',
  description: 'Find something',
  input_schema: {
    type: 'object',
    properties: { größe: { type: 'string' }, $top: { type: 'integer' }, sort: { type: 'string' } },
    required: ['größe'],
    additionalProperties: false,
  },
};

const openAiEnd = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
const anthropicEvent = (type: string, value: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;

/** A provider is told of a tool in its own way; what the model sends comes back in ours. */
describe("a tool's schema, converted for a provider", () => {
  const server = serverForEachTest();
  const openAiModel = () =>
    openai({ apiKey: 'k', baseURL: server.url, quirks: { strictTools: true } });
  const anthropicModel = () =>
    anthropic({ model: 'claude', apiKey: 'k', baseURL: server.url.replace('/v1', '') });

  it('is strict at OpenAI, and the nulls of what was left out go no further', async () => {
    const args = JSON.stringify({ größe: 'L', $top: null, sort: null });
    server.on({ chunks: [toolCall(0, { id: 'c1', name: 'search', args }), openAiEnd] });
    const { events } = await collect(openAiModel(), { tools: [SEARCH] });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_use', name: 'search', input: { größe: 'L' } }),
    );
    expect(server.requests[0]?.body.tools).toMatchObject([
      {
        function: {
          strict: true,
          parameters: {
            properties: { größe: { type: 'string' }, $top: { type: ['integer', 'null'] } },
            required: ['größe', '$top', 'sort'],
          },
        },
      },
    ]);
  });

  it('has names at Anthropic that the API takes, and the arguments come back under their own', async () => {
    server.on((response) => {
      const [tool] = server.requests[0]?.body.tools as unknown as { input_schema: JsonSchema }[];
      const { properties = {}, required } = tool?.input_schema ?? {};
      const [size = '', top = '', sort] = Object.keys(properties);
      expect([required, sort]).toEqual([[size], 'sort']);
      const partial_json = JSON.stringify({ [size]: 'L', [top]: 3, sort: 'up' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        anthropicEvent('message_start', { message: {} }) +
          anthropicEvent('content_block_start', {
            index: 0,
            content_block: { type: 'tool_use', id: 'c1', name: 'search', input: {} },
          }) +
          anthropicEvent('content_block_delta', {
            index: 0,
            delta: { type: 'input_json_delta', partial_json },
          }) +
          anthropicEvent('message_delta', { delta: { stop_reason: 'tool_use' } }),
      );
    });
    const { events } = await collect(anthropicModel(), { tools: [SEARCH] });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_use', input: { größe: 'L', $top: 3, sort: 'up' } }),
    );
  });

  // Kimi refuses a request with any other name, Gemini one with a name that begins with a digit.
  it.each(['21st_magic', '_own', '-x', 'tool_21st_magic', 'größe', '搜索', 'x'.repeat(65)])(
    'has a name that begins with a letter: %s',
    async (name) => {
      let sent = '';
      server.on((response) => {
        const [tool] = server.requests[0]?.body.tools as { function: { name: string } }[];
        sent = tool?.function.name ?? '';
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(toolCall(0, { id: 'c1', name: sent, args: '{}' }) + openAiEnd);
      });
      const { events } = await collect(openAiModel(), { tools: [{ ...SEARCH, name }] });
      expect(sent).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
      expect(events).toContainEqual(expect.objectContaining({ type: 'tool_use', name }));
    },
  );
});
