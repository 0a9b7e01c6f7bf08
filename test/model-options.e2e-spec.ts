import { MockLanguageModelV3 } from 'ai/test';
import { openai } from 'nestjs-agent';
import { aiSdk } from 'nestjs-agent/ai-sdk';
import { anthropic } from 'nestjs-agent/anthropic';
import { azureOpenAi, groq } from 'nestjs-agent/models';

/** As of JavaScript, or of options that are spread: the compiler sees none of it. */
const wrong = (options: object): never => options as never;
const language = new MockLanguageModelV3();

describe('the options of a model', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a misspelt name',
      () => openai(wrong({ baseUrl: 'http://127.0.0.1:8000/v1' })),
      'openai() cannot start: options.baseUrl is no option; did you mean baseURL?',
    ],
    [
      'an option of another place',
      () => openai(wrong({ connectMs: 1_000 })),
      'options.connectMs is no option; did you mean timeouts.connectMs?',
    ],
    [
      'a value of another kind',
      () => openai(wrong({ timeouts: { connectMs: '10s' } })),
      'options.timeouts.connectMs must be a number above 0, not a text',
    ],
    [
      'an unknown word',
      () => openai(wrong({ quirks: { toolChoice: 'none' } })),
      'options.quirks.toolChoice must be "all", "no-name", "no-force" or "auto", not "none"',
    ],
    [
      'a preset without a model, which would be asked for one of OpenAI',
      () => groq(wrong({})),
      'A model at https://api.groq.com/openai/v1 cannot start: options.model is missing',
    ],
    [
      'a preset with a misspelt name',
      () => groq(wrong({ model: 'm', timeout: 1_000 })),
      'options.timeout is no option; did you mean timeouts?',
    ],
    [
      'an Azure resource that is not set',
      () => azureOpenAi(wrong({ model: 'm', resource: '' })),
      'azureOpenAi() cannot start: options.resource must be a text, not an empty text',
    ],
    [
      'Claude without a model',
      () => anthropic(wrong({ name: 'claude' })),
      'anthropic() cannot start: options.model is missing',
    ],
    [
      'an unknown way to think',
      () => anthropic(wrong({ model: 'm', thinking: 'much' })),
      'options.thinking must be "adaptive" or { budgetTokens }, not a text',
    ],
    [
      'a model of the AI SDK with a misspelt name',
      () => aiSdk(language, wrong({ header: {} })),
      'aiSdk() cannot start: options.header is no option; did you mean headers?',
    ],
  ])('are refused at once: %s', (_name, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(make).toThrow(message);
  });

  it('may come from environment variables that are empty or not set', () => {
    const unset = undefined as never;
    const given = { model: 'm', apiKey: '', baseURL: '', timeouts: unset, retry: unset };
    expect(openai(given).name).toBe('m');
    expect(groq(given).name).toBe('m');
    expect(anthropic(given).name).toBe('m');
  });
});
