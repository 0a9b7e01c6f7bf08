import { type ChatModel, offline, openai } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';

type Environment = Readonly<Record<string, string | undefined>>;

const CLAUDE = 'claude-sonnet-5-5';

/**
 * The model that the environment asks for, or else the offline model. A service of one's own that
 * speaks OpenAI's protocol often wants an address (`OPENAI_BASE_URL`) and no key.
 */
export function modelFromEnvironment(environment: Environment): ChatModel {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = environment;
  if (apiKey || baseURL) {
    return openai({
      apiKey: apiKey || 'none',
      ...(baseURL && { baseURL }),
      ...(model && { model }),
    });
  }
  const { ANTHROPIC_API_KEY: anthropicKey, ANTHROPIC_MODEL: claude } = environment;
  if (anthropicKey) return anthropic({ apiKey: anthropicKey, model: claude || CLAUDE });
  return offline();
}
