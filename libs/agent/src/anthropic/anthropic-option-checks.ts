import {
  aFunction,
  anObject,
  anyText,
  falseOr,
  isObject,
  ofKind,
  oneOf,
  optionsOf,
  text,
} from '../checks';
import { checkModelOptions, PROVIDER_CHECKS } from '../model/stream';
import type { AnthropicOptions } from './anthropic.model';

const CHECK = optionsOf<AnthropicOptions>({
  ...PROVIDER_CHECKS,
  model: text,
  // An environment variable may be empty.
  apiKey: anyText,
  baseURL: anyText,
  cache: falseOr(
    optionsOf<Exclude<NonNullable<AnthropicOptions['cache']>, false>>({ ttl: oneOf('5m', '1h') }),
  ),
  thinking: ofKind(
    '"adaptive" or { budgetTokens }',
    (value) => value === 'adaptive' || (isObject(value) && isTokens(value['budgetTokens'])),
  ),
  effort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  extraBody: anObject,
  fetch: aFunction,
});

function isTokens(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** @throws InvalidOptionsError for options that do not exist, do not fit, or are missing */
export function checkAnthropicOptions(options: AnthropicOptions): void {
  checkModelOptions('anthropic()', CHECK, options, ['model']);
}
