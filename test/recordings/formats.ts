import { openai, type ChatModel } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import type { Format } from './recording';

/** Where a replayed service is. */
export interface Target {
  readonly model: string;
  readonly baseURL: string;
  /** Instead of the network. */
  readonly fetch?: typeof fetch;
}

const once = { apiKey: 'k', retry: { maxAttempts: 1 } } as const;

export const FORMATS: readonly Format[] = ['openai', 'anthropic', 'responses'];

/** The library's model for each format. */
export const MODELS: Readonly<Record<Format, (target: Target) => ChatModel>> = {
  openai: (target) => openai({ ...target, ...once, api: 'chat' }),
  anthropic: (target) => anthropic({ ...target, ...once }),
  responses: (target) => openai({ ...target, ...once, api: 'responses' }),
};
