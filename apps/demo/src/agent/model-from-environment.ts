import { type ChatModel, offline, openai } from 'nestjs-agent';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The model that the environment asks for: any OpenAI-compatible service, or else the offline model.
 * A service of one's own often wants an address (`OPENAI_BASE_URL`) and no key.
 */
export function modelFromEnvironment(environment: Environment): ChatModel {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = environment;
  if (!apiKey && !baseURL) return offline();
  return openai({
    apiKey: apiKey || 'none',
    ...(baseURL && { baseURL }),
    ...(model && { model }),
  });
}
