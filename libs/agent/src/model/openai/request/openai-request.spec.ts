import type { ModelRequest } from '../../chat-model';
import { toOpenAiRequest } from './openai-request';

const schema = {
  type: 'object',
  properties: { sum: { type: 'number' } },
  required: ['sum'],
  additionalProperties: false,
} as const;
const request = (more: Partial<ModelRequest>): ModelRequest => ({
  messages: [],
  tools: [],
  ...more,
});

describe('toOpenAiRequest', () => {
  it('says how the answer is to be worded, and nothing where nothing is asked', () => {
    const settings = {
      temperature: 0,
      topP: 0.5,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 7,
      stop: ['END'],
      reasoningEffort: 'low',
      verbosity: 'high',
    };
    const plain = toOpenAiRequest(request({ stop: [] }), 'm');
    expect(toOpenAiRequest(request(settings), 'm')).toEqual({
      ...plain,
      temperature: 0,
      top_p: 0.5,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      stop: ['END'],
      reasoning_effort: 'low',
      verbosity: 'high',
    });
    expect(Object.keys(plain).sort()).toEqual(['messages', 'model', 'stream', 'stream_options']);
  });

  it('asks for JSON in the form that the service takes', () => {
    const named = {
      type: 'json_schema',
      name: 'sum',
      schema,
      description: 'What it comes to',
    } as const;
    const formats = (quirk?: 'json_object' | 'prompt') =>
      [{ type: 'json_object' } as const, named, { ...named, strict: false }].map(
        (responseFormat) => {
          const sent = toOpenAiRequest(
            request({ responseFormat }),
            'm',
            quirk && { responseFormat: quirk },
          );
          return [sent.response_format, sent.messages.length];
        },
      );
    const json_schema = { name: 'sum', description: 'What it comes to' };
    expect(formats()).toEqual([
      [{ type: 'json_object' }, 0],
      [{ type: 'json_schema', json_schema: { ...json_schema, schema, strict: true } }, 0],
      [
        {
          type: 'json_schema',
          json_schema: { ...json_schema, schema: expect.any(Object), strict: false },
        },
        0,
      ],
    ]);
    expect(formats('json_object')).toEqual([
      [{ type: 'json_object' }, 0],
      [{ type: 'json_object' }, 1],
      [{ type: 'json_object' }, 1],
    ]);
    expect(formats('prompt')).toEqual([
      [undefined, 1],
      [undefined, 1],
      [undefined, 1],
    ]);
  });
});
