import type { JsonSchema } from '../../tool';
import { NOTHING, withoutSafeBounds } from '../json-schema';
import type { RuleTable } from './rule';

const number = (keywords: JsonSchema = {}): JsonSchema => ({ type: 'number', ...keywords });

interface NumberOptions {
  readonly maxDecimalPlaces?: number;
}

/** Decorators about booleans and numbers. */
export const NUMBER_RULES: RuleTable = {
  isBoolean: { type: 'boolean' },
  isInt: { type: 'integer' },
  isNumber: ({ maxDecimalPlaces }: NumberOptions = {}) => {
    if (maxDecimalPlaces === 0) return { type: 'integer' };
    // `multipleOf` 0.01 would refuse 0.07: floating point cannot divide them evenly.
    return maxDecimalPlaces
      ? number({ description: `at most ${maxDecimalPlaces} decimal places` })
      : number();
  },
  isPositive: number({ exclusiveMinimum: 0 }),
  isNegative: number({ exclusiveMaximum: 0 }),
  min: (minimum: number) => number(withoutSafeBounds({ minimum })),
  max: (maximum: number) => number(withoutSafeBounds({ maximum })),
  // The decorator divides by the whole part of its argument, and nothing can be divided by 0.
  isDivisibleBy: (divisor: number) => {
    const multipleOf = Math.abs(Math.trunc(divisor));
    return multipleOf > 0 ? number({ multipleOf }) : NOTHING;
  },
};
