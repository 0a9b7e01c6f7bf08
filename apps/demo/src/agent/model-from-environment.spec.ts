import { modelFromEnvironment } from './model-from-environment';

describe('modelFromEnvironment', () => {
  it.each([
    [{}, 'offline'],
    [{ OPENAI_API_KEY: '' }, 'offline'],
    [{ OPENAI_API_KEY: 'key', OPENAI_MODEL: 'a-model' }, 'a-model'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', OPENAI_MODEL: 'local' }, 'local'],
    [{ ANTHROPIC_API_KEY: 'key' }, 'claude-sonnet-5-5'],
    [{ ANTHROPIC_API_KEY: 'key', ANTHROPIC_MODEL: 'a-claude' }, 'a-claude'],
    [{ ANTHROPIC_API_KEY: 'key', OPENAI_API_KEY: 'key', OPENAI_MODEL: 'a-model' }, 'a-model'],
  ])('%j: %s', (environment, name) => {
    expect(modelFromEnvironment(environment).name).toBe(name);
  });
});
