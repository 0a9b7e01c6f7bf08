import { atMost, jsonValues, type RuleTable } from './rule';
import type { JsonSchema } from '../../tool';

const array = (keywords: JsonSchema = {}): JsonSchema => ({ type: 'array', ...keywords });

/** Decorators that demand a list. */
export const ARRAY_RULES: RuleTable = {
  isArray: array(),
  arrayNotEmpty: array({ minItems: 1 }),
  arrayMinSize: (minItems: number) => array(minItems === 0 ? {} : { minItems }),
  arrayMaxSize: (max: number) => array(atMost('maxItems', max)),
  arrayContains: (values: readonly unknown[]) =>
    array({ allOf: jsonValues(values).map((value) => ({ contains: { enum: [value] } })) }),
  arrayNotContains: (values: readonly unknown[]) =>
    array({ not: { contains: { enum: jsonValues(values) } } }),
  // class-validator compares objects by identity, or by the application's own function.
  arrayUnique: array({ description: 'all members differ' }),
};

/** Decorators about objects. */
export const OBJECT_RULES: RuleTable = {
  isObject: { type: 'object' },
  isNotEmptyObject: (options?: { readonly nullable?: boolean }) => ({
    type: 'object',
    minProperties: 1,
    ...(options?.nullable === false && {
      description: 'at least one property that is not null',
    }),
  }),
  nestedValidation: {},
  promiseValidation: {},
  whitelistValidation: {},
};
