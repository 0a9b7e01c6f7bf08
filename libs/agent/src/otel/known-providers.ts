/**
 * The names that the conventions require for known providers, which models name by the host of their API or as
 * their package of the AI SDK does.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
 */
const NAMES: readonly (readonly [name: string, known: RegExp])[] = [
  ['openai', /^openai\./],
  ['azure.ai.openai', /^azure\.|\.openai\.azure\.(com|us|cn)$/],
  ['anthropic', /^anthropic\.|^api\.anthropic\.com$/],
  ['gcp.vertex_ai', /^google\.vertex\.|^vertex\.|aiplatform\.googleapis\.com$/],
  ['gcp.gemini', /^google\.generative-ai$|^generativelanguage\.googleapis\.com$/],
  ['aws.bedrock', /^amazon-bedrock$|^bedrock-.+\.amazonaws\.com$/],
  ['cohere', /^cohere\.|^api\.cohere\.(com|ai)$/],
  ['deepseek', /^deepseek\.|^api\.deepseek\.com$/],
  ['groq', /^groq\.|^api\.groq\.com$/],
  ['mistral_ai', /^mistral\.|^api\.mistral\.ai$/],
  ['perplexity', /^api\.perplexity\.ai$/],
  ['x_ai', /^xai\.|^api\.x\.ai$/],
];

/** The value of `gen_ai.provider.name`: other providers keep the name that their model gives. */
export function conventionalProvider(provider: string): string {
  return NAMES.find(([, known]) => known.test(provider))?.[0] ?? provider;
}
