import {
  anObject,
  count,
  falseOr,
  isObject,
  listOf,
  notNegative,
  type OptionCheck,
  optionsOf,
  positive,
  problemsOf,
  text,
} from '../../checks';
import { InvalidOptionsError } from '../../tool';
import type { ModelRetryOptions } from './retry';
import type { ModelTimeouts } from './watchdog';

const silence = falseOr(positive);

/** The options that every model of a provider has. */
export const PROVIDER_CHECKS = {
  name: text,
  timeouts: optionsOf<ModelTimeouts>({
    connectMs: silence,
    firstEventMs: silence,
    betweenEventsMs: silence,
  }),
  retry: optionsOf<ModelRetryOptions>({
    maxAttempts: count,
    initialDelayMs: notNegative,
    maxDelayMs: notNegative,
    maxRetryAfterMs: notNegative,
  }),
  headers: anObject,
  providerTools: listOf(anObject),
} as const;

/**
 * Checks the options of a model. The compiler misses a wrong name in options that are spread or
 * written in JavaScript, and the first call would fail for another reason.
 *
 * @param model the model, as its error names it
 * @throws InvalidOptionsError for options that do not exist, do not fit, or are missing
 */
export function checkModelOptions(
  model: string,
  check: OptionCheck,
  options: unknown,
  required: readonly string[] = [],
): void {
  const given = isObject(options) ? options : {};
  const problems = [
    ...required
      .filter((name) => given[name] === undefined)
      .map((name) => `options.${name} is missing`),
    ...problemsOf(check, options, 'options'),
  ];
  if (problems.length > 0) throw new InvalidOptionsError(problems, model);
}
