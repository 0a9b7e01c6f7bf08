import { openai, textMessage, type ChatModel, type Message } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import type { JsonObject, ProviderData } from 'nestjs-agent/types';
import {
  collect,
  delta,
  DONE,
  finish,
  ModelServer,
  serverForEachTest,
  text,
} from './support/models';
import { saidContent } from './support/models/said-content';

describe('openai() gives a service back what it wants', () => {
  const server = serverForEachTest();
  const model = (baseURL = server.url) =>
    openai({ model: 'm', apiKey: 'k', baseURL, retry: { maxAttempts: 1 } });

  const RESULT: Message = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', content: '1', is_error: false }],
  };
  const CALL = [{ index: 0, id: 'c', function: { name: 'add', arguments: '{}' } }];

  /** The assistant's message of the second request, at the same service or at another. */
  async function backFrom(chunks: readonly string[], isSame = true): Promise<object> {
    server.on({ chunks: [...chunks, finish('tool_calls'), DONE] });
    const content = await saidContent(model());
    const other = isSame ? server : await ModelServer.start();
    other.on({ chunks: [text('x'), finish('stop'), DONE] });
    const assistant: Message = { role: 'assistant', content };
    await collect(model(other.url), { messages: [assistant, RESULT] });
    const { messages } = other.requests.at(-1)?.body as unknown as { messages: [object] };
    if (!isSame) await other.stop();
    return messages[0];
  }

  it("OpenRouter's details, put together and unchanged", async () => {
    const detail = { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1' };
    const encrypted = { type: 'reasoning.encrypted', index: 1, data: 'gAA' };
    const chunks = [
      delta({ reasoning: 'h', reasoning_details: [{ ...detail, text: 'h' }] }),
      delta({ reasoning: 'm', reasoning_details: [{ ...detail, text: 'm' }] }),
      delta({ reasoning_details: [{ ...detail, signature: 's' }] }),
      delta({ reasoning_details: [encrypted] }),
      delta({ tool_calls: CALL }),
    ];
    expect(await backFrom(chunks)).toMatchObject({
      reasoning_details: [{ ...detail, text: 'hm', signature: 's' }, encrypted],
    });
    expect(Object.keys(await backFrom(chunks, false))).toEqual(['role', 'content', 'tool_calls']);
  });

  it.each([
    ['at their end', ''],
    ['with the whole text again', 'hhm'],
  ])("Claude's thoughts behind LiteLLM, signed %s", async (_, again) => {
    const piece = (thinking: string, signature = '') => [{ type: 'thinking', thinking, signature }];
    const chunks = [
      delta({ reasoning_content: 'h', thinking_blocks: piece('h') }),
      delta({ reasoning_content: 'h', thinking_blocks: piece('h') }),
      delta({ reasoning_content: 'm', thinking_blocks: piece('m') }),
      delta({ reasoning_content: '', thinking_blocks: piece(again, 's') }),
      delta({ thinking_blocks: [{ type: 'redacted_thinking', data: 'gAA' }] }),
      delta({ thinking_blocks: piece('', 'of a thought that is not shown') }),
      delta({ thinking_blocks: piece('of another model, which signs nothing') }),
      delta({ tool_calls: CALL }),
    ];
    expect(await backFrom(chunks)).toMatchObject({
      thinking_blocks: [
        ...piece('hhm', 's'),
        { type: 'redacted_thinking', data: 'gAA' },
        ...piece('', 'of a thought that is not shown'),
      ],
    });
    expect(Object.keys(await backFrom(chunks, false))).toEqual(['role', 'content', 'tool_calls']);
  });

  it("Gemini's signature of a call", async () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const chunks = [delta({ tool_calls: [{ ...CALL[0], extra_content }] })];
    expect(await backFrom(chunks)).toMatchObject({ tool_calls: [{ extra_content }] });
    expect(JSON.stringify(await backFrom(chunks, false))).not.toContain('sig');
  });

  const SIGNED = { google: { thought_signature: 'sig' } };
  it.each<[string, readonly string[]]>([
    ['with its first piece', [delta({ content: 'So ', extra_content: SIGNED }), text('be it.')]],
    ['between', [text('So '), delta({ content: 'be ', extra_content: SIGNED }), text('it.')]],
    ['with its last piece', [text('So '), delta({ content: 'be it.', extra_content: SIGNED })]],
    ['behind it', [text('So be it.'), delta({ content: '', extra_content: SIGNED })]],
    [
      'behind a thought',
      [delta({ reasoning_content: 'hm' }), text('So be it.'), delta({ extra_content: SIGNED })],
    ],
  ])("Gemini's signature of a text, %s", async (_, said) => {
    const chunks = [...said, delta({ tool_calls: CALL })];
    const message = { content: 'So be it.', extra_content: SIGNED };
    expect(await backFrom(chunks)).toMatchObject(message);
    const elsewhere = await backFrom(chunks, false);
    expect(Object.keys(elsewhere)).toEqual(['role', 'content', 'tool_calls']);
    expect(elsewhere).toMatchObject({ content: 'So be it.' });
  });

  it("Gemini's signature of a text that is one block, before its call", async () => {
    server.on({
      chunks: [
        ...[text('So '), delta({ content: 'be it.', extra_content: SIGNED })],
        ...[delta({ tool_calls: CALL }), finish('tool_calls'), DONE],
      ],
    });
    const data = { [new URL(server.url).host]: { extra_content: SIGNED } };
    expect(await saidContent(model())).toMatchObject([
      { type: 'text', text: 'So be it.', providerData: data },
      { type: 'tool_use', name: 'add' },
    ]);
  });

  it('a signature of thoughts that stands beside calls alone', async () => {
    const extra_content = { google: { thought: true, thought_signature: 'sig' } };
    const chunks = [delta({ tool_calls: CALL, extra_content })];
    expect(await backFrom(chunks)).toMatchObject({ content: null, extra_content });
    expect(JSON.stringify(await backFrom(chunks, false))).not.toContain('sig');
  });

  it('thoughts in the field in which they came', async () => {
    const chunks = [delta({ reasoning_content: 'hm' }), delta({ tool_calls: CALL })];
    expect(await backFrom(chunks)).toMatchObject({ reasoning_content: 'hm' });
    expect(JSON.stringify(await backFrom(chunks, false))).not.toContain('hm');
  });

  it("Copilot's thoughts with its data about them", async () => {
    const said = { reasoning_text: 'hm', reasoning_opaque: 'gAA' };
    const { reasoning_text, reasoning_opaque } = said;
    const chunks = [delta({ reasoning_text }), delta({ tool_calls: CALL, reasoning_opaque })];
    expect(await backFrom(chunks)).toMatchObject(said);
    expect(JSON.stringify(await backFrom(chunks, false))).not.toMatch(/hm|gAA/);
  });

  it("Mistral's thoughts among the parts of the content", async () => {
    const thinking = [{ type: 'text', text: 'hm' }];
    const content: JsonObject[] = [
      { type: 'thinking', thinking },
      { type: 'text', text: 'So.' },
    ];
    const chunks = [delta({ content }), delta({ tool_calls: CALL })];
    expect(await backFrom(chunks)).toMatchObject({ content });
    expect(await backFrom(chunks, false)).toMatchObject({ content: 'So.' });
  });

  describe('nothing that it cannot read', () => {
    const providerData = (name: string, data: JsonObject) => ({ [name]: data });
    const unread = (message: string) => ({
      status: 400,
      chunks: [JSON.stringify({ error: { type: 'invalid_request_error', message } })],
    });

    it.each<[string, () => ChatModel, (host: string) => ProviderData, string]>([
      [
        "OpenAI's thoughts of another account",
        () => openai({ model: 'gpt-5', apiKey: 'k', baseURL: server.url, api: 'responses' }),
        (host) =>
          providerData(host, { item: { type: 'reasoning', id: 'rs', encrypted_content: 'ENC' } }),
        'The encrypted content for item rs could not be verified. Reason: it could not be decrypted.',
      ],
      [
        "Claude's thoughts with another signature",
        () => anthropic({ model: 'm', apiKey: 'k', baseURL: server.url.replace('/v1', '') }),
        () => providerData('anthropic', { signature: 'ENC' }),
        'messages.1.content.0: Invalid `signature` in `thinking` block',
      ],
      [
        "Claude's thoughts in another place",
        () => anthropic({ model: 'm', apiKey: 'k', baseURL: server.url.replace('/v1', '') }),
        () => providerData('anthropic', { signature: 'ENC' }),
        '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
      ],
    ])('such as %s, and keeps those of other conversations', async (_, make, dataOf, message) => {
      const thinking = make();
      const messages: Message[] = [
        textMessage('user', 'Hi'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm', providerData: dataOf(new URL(server.url).host) },
            { type: 'tool_use', id: 'c', name: 'add', input: {} },
          ],
        },
        RESULT,
      ];
      const isClaude = thinking.provider === 'anthropic';
      const said = isClaude
        ? { type: 'message', content: [], stop_reason: 'end_turn' }
        : { status: 'completed', output: [] };
      const answer = { chunks: [JSON.stringify(said)] };
      server.on(unread(message), answer, answer);
      await collect(thinking, { messages });
      await collect(thinking, { messages });
      const hasThoughts = server.requests.map(({ body }) => JSON.stringify(body).includes('ENC'));
      expect(hasThoughts).toEqual([true, false, true]);
    });
  });
});
