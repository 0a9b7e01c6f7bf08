import { azureOpenAi, deepSeek, google, groq, mistral, ollama, perplexity, xAi } from '../models';
import { conventionalProvider } from './known-providers';

const apiKey = 'test';

describe('the name of a provider', () => {
  it.each([
    ['azure.ai.openai', azureOpenAi({ apiKey, resource: 'mine', model: 'm' })],
    ['deepseek', deepSeek({ apiKey, model: 'm' })],
    ['gcp.gemini', google({ apiKey, model: 'm' })],
    ['groq', groq({ apiKey, model: 'm' })],
    ['mistral_ai', mistral({ apiKey, model: 'm' })],
    ['perplexity', perplexity({ apiKey, model: 'm' })],
    ['x_ai', xAi({ apiKey, model: 'm' })],
    ['127.0.0.1:11434', ollama({ model: 'm' })],
  ])('is %s', (name, { provider }) => {
    expect(conventionalProvider(provider ?? '')).toBe(name);
  });

  it.each([
    ['openai.responses', 'openai'],
    ['anthropic.messages', 'anthropic'],
    ['google.generative-ai', 'gcp.gemini'],
    ['google.vertex.chat', 'gcp.vertex_ai'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['bedrock-runtime.us-east-1.amazonaws.com', 'aws.bedrock'],
    ['openai', 'openai'],
    ['custom', 'custom'],
    ['groq-at-home', 'groq-at-home'],
  ])('of %s is %s', (provider, name) => {
    expect(conventionalProvider(provider)).toBe(name);
  });
});
