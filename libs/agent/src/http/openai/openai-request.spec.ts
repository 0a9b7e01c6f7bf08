import { DEFAULT_ATTACHMENTS } from '../../run';
import { OpenAiRequestError } from './openai-error';
import { completionRequestOf } from './openai-request';

const limits = { historyMessages: 4, attachments: DEFAULT_ATTACHMENTS };
const read = (messages: readonly object[], more: object = {}) =>
  completionRequestOf({ model: 'agent', messages, ...more }, limits);
const call = (id: string, text = '{"a":1}') => ({
  id,
  type: 'function',
  function: { name: 'get-it', arguments: text },
});
const user = { role: 'user', content: 'hi' };

function refusalOf(act: () => unknown): OpenAiRequestError {
  try {
    act();
  } catch (error) {
    if (error instanceof OpenAiRequestError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('completionRequestOf', () => {
  it('reads calls and their results as the loop knows them', () => {
    const { input } = read([
      user,
      { role: 'assistant', content: 'Two.', tool_calls: [call('c1'), call('c2', '{broken')] },
      { role: 'tool', tool_call_id: 'c2', content: 'second' },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'first' }] },
    ]);
    const [, assistant, results] = input.messages;
    expect(assistant?.content).toEqual([
      { type: 'text', text: 'Two.' },
      { type: 'tool_use', id: 'c1', name: expect.stringMatching(/^get_it_/), input: { a: 1 } },
      {
        type: 'tool_use',
        id: 'c2',
        name: expect.stringMatching(/^get_it_/),
        input: {},
        malformedInput: '{broken',
      },
    ]);
    expect(results).toMatchObject({
      role: 'user',
      content: [{ tool_use_id: 'c2' }, { tool_use_id: 'c1', is_error: false }],
    });
  });

  it.each([
    ['a call without its result', [{ role: 'assistant', tool_calls: [call('c1')] }], /c1/],
    [
      'a message before the result',
      [{ role: 'assistant', tool_calls: [call('c1')] }, user],
      /must be followed by tool messages/,
    ],
    [
      'a second result',
      [
        { role: 'assistant', tool_calls: [call('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: '' },
        { role: 'tool', tool_call_id: 'c1', content: '' },
      ],
      /must be a response/,
    ],
    [
      'one id twice',
      [{ role: 'assistant', tool_calls: [call('c1'), call('c1')] }],
      /ids of their own/,
    ],
    ['a part without text', [{ role: 'user', content: [{ type: 'text' }] }], /content\[0\]\.text/],
    [
      'an image without an address',
      [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }],
      /image_url\.url/,
    ],
    [
      'a file by id',
      [{ role: 'user', content: [{ type: 'file', file: { file_id: 'x' } }] }],
      /file_data/,
    ],
    ['too long a history', [user, user, user, user, user], /at most 4 messages/],
    ['no object', [7 as unknown as object], /messages\[0\]/],
  ])('refuses %s', (_what, messages, text) => {
    const refusal = refusalOf(() => read(messages));
    expect(refusal.getStatus()).toBe(400);
    expect(refusal.message).toMatch(text);
  });

  it('takes files by their content', () => {
    const file = { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' };
    const { input } = read([{ role: 'user', content: [{ type: 'file', file }] }]);
    expect(input.messages[0]?.content).toEqual([
      { type: 'file', name: 'a.pdf', mediaType: 'application/pdf', data: 'JVBERg==' },
    ]);
  });

  it('maps names that others would not take, and back', () => {
    const { input, clientNameOf } = read([user], {
      tools: [{ type: 'function', function: { name: 'get-it' } }],
      tool_choice: { type: 'function', function: { name: 'get-it' } },
      max_completion_tokens: 9,
      max_tokens: 8,
    });
    const name = input.clientTools?.[0]?.name ?? '';
    expect(name).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
    expect(input.toolChoice).toEqual({ name });
    expect(clientNameOf(name)).toBe('get-it');
    expect(clientNameOf('other')).toBe('other');
    expect(input.maxTokens).toBe(9);
  });
});
