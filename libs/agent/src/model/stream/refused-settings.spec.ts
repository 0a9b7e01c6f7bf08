import type { ModelRequest } from '../chat-model';
import { RefusedSettings } from './refused-settings';

const settings = {
  temperature: 0.7,
  topP: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  seed: 1,
  stop: ['END'],
  toolChoice: 'required',
  reasoningEffort: 'low',
  verbosity: 'low',
} as const;
const request: ModelRequest = { messages: [], tools: [], ...settings };

function refusal(message: string, status = 400): Error {
  return Object.assign(new Error(`${status} ${message}`), { status });
}

/** The settings that remain after a provider's refusals, each with the same message. */
async function leftOf(error: Error): Promise<readonly string[]> {
  const asked: string[][] = [];
  const attempt = (tried: ModelRequest) => {
    asked.push(Object.keys(tried).filter((name) => Object.hasOwn(settings, name)));
    return asked.length > 1 ? Promise.resolve() : Promise.reject(error);
  };
  await new RefusedSettings().without(request, attempt);
  return asked.at(-1) ?? [];
}

describe('RefusedSettings', () => {
  it.each([
    ["Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'],
    [
      "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['invalid temperature: only 1 is allowed for this model', 'temperature'],
    ['`temperature` and `top_p` cannot both be specified for this model.', 'temperature'],
    ['`top_p` is deprecated for this model.', 'topP'],
    ['Invalid JSON payload received. Unknown name "seed": Cannot find field.', 'seed'],
    ['Penalty is not enabled for models/gemini-x', 'presencePenalty'],
    ["property 'frequency_penalty' is unsupported", 'frequencyPenalty'],
    ['Model grok-4 does not support parameter presencePenalty.', 'presencePenalty'],
    ['Argument not supported on this model: stop', 'stop'],
    ['Thinking mode does not support this tool_choice', 'toolChoice'],
    ['Unrecognized request argument supplied: reasoning_effort', 'reasoningEffort'],
    ['Model grok-4 does not support parameter reasoningEffort.', 'reasoningEffort'],
    [
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'reasoningEffort',
    ],
    ['This model does not support the effort parameter.', 'reasoningEffort'],
    ['`reasoning_effort` must be one of `none` or `default`', 'reasoningEffort'],
    ["Expected 'reasoning_effort' to be one of: 'low', 'high'; found 'none'.", 'reasoningEffort'],
    ['`temperature` may only be set to 1 when thinking is enabled.', 'temperature'],
    ['`top_p` must be at least 0.95 or unset when thinking is enabled.', 'topP'],
    ["Unknown parameter: 'verbosity'.", 'verbosity'],
    ["tool_choice 'required' is incompatible with thinking enabled", 'toolChoice'],
    ['Thinking may not be enabled when tool_choice forces tool use.', 'toolChoice'],
  ])('understands %s', async (message, refused) => {
    const left = Object.keys(settings).filter((name) => name !== refused);
    expect(await leftOf(refusal(message))).toEqual(left);
  });

  it('understands a list of what is too much', async () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs' }];
    expect(await leftOf(refusal(JSON.stringify({ detail }), 422))).not.toContain('seed');
  });

  it('leaves out one after the other, and asks for none of them again', async () => {
    const refused = new RefusedSettings();
    let asked = 0;
    const attempt = ({ seed, presencePenalty }: ModelRequest) => {
      asked += 1;
      const unknown = [
        seed !== undefined && 'seed',
        presencePenalty !== undefined && 'presence_penalty',
      ];
      const name = unknown.find((each) => each !== false);
      return name === undefined
        ? Promise.resolve('answer')
        : Promise.reject(refusal(`Unknown name "${name}": Cannot find field.`));
    };
    expect(await refused.without(request, attempt)).toBe('answer');
    expect(asked).toBe(3);
    expect(await refused.without(request, attempt)).toBe('answer');
    expect(asked).toBe(4);
  });

  it('leaves one of two that exclude each other out of that request alone', async () => {
    const refused = new RefusedSettings();
    const both = '`temperature` and `top_p` cannot both be specified for this model.';
    const attempt = ({ temperature, topP }: ModelRequest) =>
      temperature !== undefined && topP !== undefined
        ? Promise.reject(refusal(both))
        : Promise.resolve({ temperature, topP });
    const plain: ModelRequest = { messages: [], tools: [], temperature: 0.2 };
    expect(await refused.without({ ...plain, topP: 0.9 }, attempt)).toEqual({ topP: 0.9 });
    expect(await refused.without(plain, attempt)).toEqual({ temperature: 0.2 });
  });

  it('never lets a model call tools that it must not call', async () => {
    const refused = new RefusedSettings();
    const error = refusal('Thinking mode does not support this tool_choice');
    const attempt = ({ toolChoice }: ModelRequest) =>
      toolChoice === undefined ? Promise.resolve('answer') : Promise.reject(error);
    expect(await refused.without(request, attempt)).toBe('answer');
    const none: ModelRequest = { ...request, toolChoice: 'none' };
    await expect(refused.without(none, attempt)).rejects.toBe(error);
  });

  it.each([
    refusal("Invalid 'temperature': must be at most 2."),
    refusal("'tool_choice' must be one of: none, auto, required"),
    refusal('temperature is not supported', 500),
    refusal('This model does not support image input.'),
    new Error('temperature is not supported'),
  ])('passes another error on: %s', async (error) => {
    const attempt = jest.fn(() => Promise.reject(error));
    await expect(new RefusedSettings().without(request, attempt)).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});
