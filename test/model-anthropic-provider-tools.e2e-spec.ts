import { openai, textMessage, type Message, type ModelEvent } from 'nestjs-agent';
import type { ContentBlock } from 'nestjs-agent/types';
import { anthropic } from 'nestjs-agent/anthropic';
import { block, collect, said, serverForEachTest, start, stop, textIn } from './support/models';
import { contentOf } from './support/models/said-content';

const ADD = {
  name: 'add',
  description: 'Add',
  input_schema: { type: 'object' as const, properties: {} },
};
const SEARCH = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
const QUERY = { type: 'input_json_delta', partial_json: '{"query":"nest"}' };
const FOUND = {
  type: 'web_search_tool_result',
  tool_use_id: 'srv_1',
  content: [
    { type: 'web_search_result', url: 'https://nestjs.com', title: 'Nest', encrypted_content: 'x' },
  ],
};
const USED = { inputTokens: 5, outputTokens: 9, totalTokens: 14 };

describe("Anthropic's own tools", () => {
  const server = serverForEachTest();
  const model = (options: Partial<Parameters<typeof anthropic>[0]> = {}) =>
    anthropic({
      model: 'claude',
      apiKey: 'k',
      baseURL: server.url.replace('/v1', ''),
      retry: { initialDelayMs: 1, maxDelayMs: 1 },
      ...options,
    });
  const ask = async (...chunks: string[]) => {
    server.on({ chunks });
    const { events, error } = await collect(model(), { tools: [ADD] });
    expect(error).toBeUndefined();
    return events;
  };
  /** What the assistant's messages of the next request hold. */
  const sentBack = async (...messages: readonly Message[]) => {
    server.on({ chunks: [start(), said(0, 'ok'), stop('end_turn')] });
    await collect(model(), { messages: [textMessage('user', 'hello'), ...messages], tools: [ADD] });
    const sent = server.requests.at(-1)?.body['messages'] as { role: string; content: object[] }[];
    return sent.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content);
  };
  const answer = (events: readonly ModelEvent[]): Message => ({
    role: 'assistant',
    content: events.flatMap((event): ContentBlock[] => {
      switch (event.type) {
        case 'text.delta':
          return [{ type: 'text', text: event.delta }];
        case 'reasoning.end':
          return [{ type: 'reasoning', text: '', providerData: event.providerData }];
        case 'provider_tool':
        case 'source':
        case 'tool_use':
          return [event];
        default:
          return [];
      }
    }),
  });

  it('are shown, never called, and go back as they came', async () => {
    const events = await ask(
      start(),
      said(0, 'I search.'),
      block(1, SEARCH, QUERY),
      block(2, FOUND),
      said(3, 'Found.'),
      stop('end_turn'),
    );
    const use = { ...SEARCH, input: { query: 'nest' } };
    expect(events).toEqual([
      { type: 'text.delta', delta: 'I search.' },
      {
        type: 'provider_tool',
        id: 'srv_1',
        name: 'web_search',
        input: { query: 'nest' },
        output: [{ type: 'web_search_result', url: 'https://nestjs.com', title: 'Nest' }],
        providerData: { anthropic: { blocks: [use, FOUND] } },
      },
      { type: 'text.delta', delta: 'Found.' },
      expect.objectContaining({ type: 'finish', reason: 'end_turn' }),
    ]);
    expect(await sentBack(answer(events), textMessage('user', 'more'))).toEqual([
      { type: 'text', text: 'I search.' },
      use,
      FOUND,
      { type: 'text', text: 'Found.' },
    ]);
  });

  it('keep their order where one calls the other', async () => {
    const code = { type: 'server_tool_use', id: 'srv_0', name: 'code_execution', input: {} };
    const done = { type: 'code_execution_tool_result', tool_use_id: 'srv_0', content: {} };
    const mcp = {
      type: 'mcp_tool_use',
      id: 'mcp_1',
      name: 'ask',
      server_name: 's',
      input: { q: 1 },
    };
    const told = { type: 'mcp_tool_result', tool_use_id: 'mcp_1', content: [], is_error: false };
    const blocks = [code, SEARCH, FOUND, done, mcp, told];
    const events = await ask(
      start(),
      ...blocks.map((one, index) => block(index, one)),
      said(9, 'Done.'),
      stop('end_turn'),
    );
    const shown = events.flatMap((event) => (event.type === 'provider_tool' ? event.name : []));
    expect(shown).toEqual(['code_execution', 'web_search', 'ask']);
    const back = await sentBack(answer(events), textMessage('user', 'more'));
    expect(back.slice(0, -1)).toEqual(blocks);
  });

  it('may answer after calls of ours, with who asked for them and where it runs', async () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srv_1' };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'add', input: {}, caller };
    const first = await ask(
      start(),
      block(0, SEARCH, QUERY),
      block(1, call),
      stop('tool_use', { container: { id: 'container_1', expires_at: 'soon' } }),
    );
    const results: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '3', is_error: false }],
    };
    const use = { ...SEARCH, input: { query: 'nest' } };
    expect(await sentBack(answer(first), results)).toEqual([use, call]);
    expect(server.requests.at(-1)?.body['container']).toBe('container_1');
    const second = await ask(start(), block(0, FOUND), said(1, 'Done.'), stop('end_turn'));
    expect(second[0]).toMatchObject({ type: 'provider_tool', id: 'srv_1', name: 'web_search' });
    const back = await sentBack(
      answer(first),
      results,
      answer(second),
      textMessage('user', 'more'),
    );
    expect(back).toEqual([use, call, FOUND, { type: 'text', text: 'Done.' }]);
    expect(server.requests.at(-1)?.body).not.toHaveProperty('container');
  });

  it('leave out what lost its other half', async () => {
    const asked = answer(await ask(start(), block(0, SEARCH), said(1, 'Hm.'), stop('max_tokens')));
    const found = answer(await ask(start(), block(0, FOUND), said(1, 'So.'), stop('end_turn')));
    const texts = [{ type: 'text', text: 'Hm.' }];
    expect(await sentBack(asked, textMessage('user', 'more'))).toEqual(texts);
    const later = await sentBack(found, textMessage('user', 'more'));
    expect(later).toEqual([{ type: 'text', text: 'So.' }]);
  });

  it('cite pages, each once', async () => {
    const cited = (url: string, title: string | null) => ({
      type: 'citations_delta',
      citation: { type: 'web_search_result_location', url, title, cited_text: '…' },
    });
    const inDocument = { type: 'citations_delta', citation: { type: 'char_location' } };
    const events = await ask(
      start(),
      block(
        0,
        { type: 'text', text: '', citations: [] },
        { type: 'text_delta', text: 'Nest.' },
        cited('https://nestjs.com', 'Nest'),
        cited('https://nestjs.com', 'Nest'),
        cited('https://docs.nestjs.com', null),
        cited('javascript:alert(1)', 'Bad'),
        inDocument,
      ),
      stop('end_turn'),
    );
    expect(events.filter(({ type }) => type === 'source')).toEqual([
      { type: 'source', url: 'https://nestjs.com', title: 'Nest' },
      { type: 'source', url: 'https://docs.nestjs.com' },
    ]);
  });

  it('cite places, which go back with the text that is from there, to them alone', async () => {
    const place = {
      type: 'web_search_result_location',
      url: 'https://nestjs.com',
      title: 'Nest',
      cited_text: '…',
      encrypted_index: 'index-1',
    };
    const events = await ask(
      start(),
      block(0, SEARCH, QUERY),
      block(1, FOUND),
      said(2, 'Nest is '),
      block(
        3,
        { type: 'text', text: '', citations: [] },
        { type: 'citations_delta', citation: place },
        { type: 'text_delta', text: 'a frame' },
        { type: 'text_delta', text: 'work' },
        { type: 'citations_delta', citation: { ...place, encrypted_index: 'index-2' } },
      ),
      said(4, '. '),
      said(5, 'Try it.'),
      stop('end_turn'),
    );
    const content = await contentOf(events);
    const citations = [place, { ...place, encrypted_index: 'index-2' }];
    expect(content.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'Nest is ' },
      { type: 'text', text: 'a framework', providerData: { anthropic: { citations } } },
      { type: 'text', text: '. ' },
      { type: 'text', text: 'Try it.' },
    ]);
    const message: Message = { role: 'assistant', content };
    const back = await sentBack(message, textMessage('user', 'more'));
    expect(back.slice(2)).toEqual([
      { type: 'text', text: 'Nest is ' },
      { type: 'text', text: 'a framework', citations },
      { type: 'text', text: '. ' },
      { type: 'text', text: 'Try it.' },
    ]);
    for (const api of ['chat', 'responses'] as const) {
      const other = openai({
        model: 'm',
        apiKey: 'k',
        baseURL: server.url,
        api,
        retry: { maxAttempts: 1 },
      });
      server.on({ status: 400, chunks: ['{}'] });
      await collect(other, { messages: [message, textMessage('user', 'more')] });
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      expect(sent).toContain('"Nest is a framework. Try it."');
      expect(sent).not.toContain('index-');
    }
  });

  it('have blocks without a kind of ours, which go back as they came', async () => {
    const summary = { type: 'compaction', content: 'They said hello.' };
    const events = await ask(
      start(),
      block(
        0,
        { ...summary, content: null },
        { type: 'compaction_delta', content: summary.content },
      ),
      said(1, 'Hello.'),
      stop('end_turn'),
    );
    const back = await sentBack(answer(events), textMessage('user', 'more'));
    expect(back[0]).toEqual(summary);
  });

  it.each([
    ['with data for the provider', { content: 'They said hello.', encrypted_content: 'gAA' }],
    ['that failed', { content: null }],
  ])('have a summary %s, which goes back as it came', async (_, said) => {
    const begun = { type: 'compaction', content: null, encrypted_content: null };
    const change = { type: 'compaction_delta', encrypted_content: null, ...said };
    const summary = { type: 'compaction', ...said };
    const events = await ask(start(), block(0, begun, change), block(1, begun), stop('end_turn'));
    const back = await sentBack(answer(events), textMessage('user', 'more'));
    // The API refuses an empty text, and encrypted content that is null.
    expect(back).toEqual([summary, { type: 'compaction', content: null }]);
  });

  describe('paused', () => {
    const paused = (id: string, text: string) => ({
      chunks: [start({ id }), said(0, text), block(1, SEARCH, QUERY), stop('pause_turn')],
    });
    const over = {
      chunks: [start({ id: 'msg_9' }), block(0, FOUND), said(1, 'b'), stop('end_turn')],
    };

    it('go on by themselves with what was said, and count it all', async () => {
      server.on(paused('msg_1', 'a'), { status: 500, chunks: ['{}'] }, over);
      const { events } = await collect(model(), { tools: [ADD] });
      expect(textIn(events)).toBe('ab');
      const finishes = events.filter(({ type }) => type === 'finish');
      expect(finishes).toMatchObject([
        { reason: 'end_turn', usage: { inputTokens: 10, outputTokens: 18, totalTokens: 28 } },
      ]);
      const [first, , third] = server.requests.map(({ body }) => body);
      expect(third).toEqual({
        ...first,
        messages: [
          ...(first?.['messages'] as object[]),
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'a' },
              { ...SEARCH, input: { query: 'nest' } },
            ],
          },
        ],
      });
    });

    it('go on with a signed thought that is not shown, also without its start', async () => {
      const piece = (delta: object) =>
        `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n\n`;
      const signed = { type: 'signature_delta', signature: 'sig' };
      const pieces = [piece({ type: 'thinking_delta', thinking: '' }), piece(signed)];
      server.on({ chunks: [start({ id: 'msg_1' }), ...pieces, stop('pause_turn')] }, over);
      await collect(model(), { tools: [ADD] });
      expect(server.requests.at(-1)?.body['messages']).toMatchObject([
        {},
        { content: [{ type: 'thinking', thinking: '', signature: 'sig' }] },
      ]);
    });

    it('go on after a summary of the conversation', async () => {
      const summary = { type: 'compaction', content: 'We greeted each other.' };
      server.on({ chunks: [start({ id: 'msg_1' }), block(0, summary), stop('compaction')] }, over);
      const { events } = await collect(model());
      expect(textIn(events)).toBe('b');
      const { messages } = server.requests[1]?.body as unknown as { messages: object[] };
      expect(messages.at(-1)).toEqual({ role: 'assistant', content: [summary] });
    });

    it('end after five times', async () => {
      server.on(...'abcdefgh'.split('').map((text) => paused(`msg_${text}`, text)));
      const { events } = await collect(model());
      expect(textIn(events)).toBe('abcdef');
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'end_turn' });
      expect(server.requests).toHaveLength(6);
    });

    it.each([0, 2])('end where the run has %i steps left', async (maxContinuations) => {
      server.on(...'abcd'.split('').map((text) => paused(`msg_${text}`, text)));
      const { events } = await collect(model(), { maxContinuations });
      expect(textIn(events)).toBe('abc'.slice(0, maxContinuations + 1));
      expect(server.requests).toHaveLength(maxContinuations + 1);
    });

    it('end where the same answer comes again', async () => {
      server.on(paused('msg_1', 'a'), paused('msg_1', 'a'));
      const { events } = await collect(model());
      expect(textIn(events)).toBe('a');
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'end_turn', usage: USED });
    });

    it('say what failed after them', async () => {
      server.on(paused('msg_1', 'a'), { status: 400, chunks: ['{}'] });
      const { events, error } = await collect(model());
      expect(textIn(events)).toBe('a');
      expect(error).toMatchObject({ code: 'model_bad_request' });
    });
  });

  it('are offered before ours, and the rest of the request as it is wanted', async () => {
    server.on({ chunks: [start(), stop('end_turn')] });
    const web = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };
    const options = {
      providerTools: [web],
      effort: 'high' as const,
      cache: { ttl: '1h' as const },
      extraBody: { service_tier: 'auto', stream: false, container: { skills: [] } },
    };
    await collect(model(options), { tools: [ADD], topP: 0.9, reasoningEffort: 'minimal' });
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    expect(server.requests[0]?.body).toMatchObject({
      stream: true,
      service_tier: 'auto',
      container: { skills: [] },
      top_p: 0.9,
      // OpenAI's word for the least there is.
      output_config: { effort: 'low' },
      tools: [web, { ...ADD, cache_control }],
    });
  });

  it('keep nothing where the cache is off', async () => {
    server.on({ chunks: [start(), stop('end_turn')] });
    await collect(model({ cache: false }), { system: 'Be kind.', tools: [ADD] });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('cache_control');
  });
});
