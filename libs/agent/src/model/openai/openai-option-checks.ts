import {
  aFunction,
  anObject,
  anyText,
  count,
  either,
  flag,
  isFunction,
  oneOf,
  optionsOf,
  text,
} from '../../checks';
import { checkModelOptions, PROVIDER_CHECKS } from '../stream';
import type { OpenAiOptions } from './openai-options';
import type { OpenAiQuirks } from './openai-quirks';

const CHECK = optionsOf<OpenAiOptions>({
  ...PROVIDER_CHECKS,
  model: text,
  // An environment variable may be empty.
  apiKey: either(isFunction, anyText),
  baseURL: anyText,
  api: oneOf('responses', 'chat'),
  reasoning: optionsOf<NonNullable<OpenAiOptions['reasoning']>>({
    effort: text,
    summary: oneOf('auto', 'concise', 'detailed'),
  }),
  verbosity: text,
  serviceTier: text,
  promptCacheKey: text,
  extraBody: anObject,
  quirks: optionsOf<OpenAiQuirks>({
    maxTokensField: oneOf('max_tokens', 'max_completion_tokens'),
    toolChoice: oneOf('all', 'no-name', 'no-force', 'auto'),
    requiredAs: text,
    responseFormat: oneOf('json_schema', 'json_object', 'prompt'),
    streamUsage: flag,
    reasoningBack: oneOf('reasoning_content', 'reasoning', 'think_tags'),
    thinkTags: flag,
    singleSystem: flag,
    userSystem: flag,
    singleCalls: flag,
    alternatingRoles: flag,
    assistantAfterTool: flag,
    plainUnions: flag,
    grammarSchemas: flag,
    signedCalls: flag,
    shortCallIds: flag,
    maxCallIdChars: count,
    textParts: flag,
    strictTools: flag,
    cacheMarks: flag,
    tools: flag,
    images: flag,
    files: flag,
  }),
  fetch: aFunction,
});

/**
 * @param service the address of a preset's service, whose models have no default
 * @throws InvalidOptionsError for options that do not exist, do not fit, or are missing
 */
export function checkOpenAiOptions(options: OpenAiOptions, service: string | undefined): void {
  if (service === undefined) checkModelOptions('openai()', CHECK, options);
  else checkModelOptions(`A model at ${service}`, CHECK, options, ['model']);
}
