import type { JsonSchema } from '../../tool';
import { NOTHING } from '../json-schema';
import type { RuleTable } from './rule';

const number = (keywords: JsonSchema = {}): JsonSchema => ({ type: 'number', ...keywords });

interface NumberOptions {
  readonly maxDecimalPlaces?: number;
}

/** Decorators about booleans and numbers. */
export const NUMBER_RULES: RuleTable = {
  isBoolean: { keywords: () => ({ type: 'boolean' }) },
  isInt: { keywords: () => ({ type: 'integer' }) },
  isNumber: {
    keywords: (options?: NumberOptions) =>
      options?.maxDecimalPlaces === 0 ? { type: 'integer' } : number(),
    // `multipleOf` 0.01 would refuse 0.07: floating point cannot divide them evenly.
    note: (options?: NumberOptions) =>
      options?.maxDecimalPlaces ? `at most ${options.maxDecimalPlaces} decimal places` : undefined,
  },
  isPositive: { keywords: () => number({ exclusiveMinimum: 0 }) },
  isNegative: { keywords: () => number({ exclusiveMaximum: 0 }) },
  min: { keywords: (minimum: number) => number({ minimum }) },
  max: { keywords: (maximum: number) => number({ maximum }) },
  isDivisibleBy: {
    // The decorator divides by the whole part of its argument, and nothing can be divided by 0.
    keywords: (divisor: number) => {
      const multipleOf = Math.abs(Math.trunc(divisor));
      return multipleOf > 0 ? number({ multipleOf }) : NOTHING;
    },
  },
};
