import { atMost, jsonValues, type RuleTable, words } from './rule';
import type { JsonSchema } from '../../tool';

const array = (keywords: JsonSchema = {}): JsonSchema => ({ type: 'array', ...keywords });

/** Decorators that demand a list. */
export const ARRAY_RULES: RuleTable = {
  isArray: { keywords: () => array() },
  arrayNotEmpty: { keywords: () => array({ minItems: 1 }) },
  arrayMinSize: { keywords: (minItems: number) => array(minItems === 0 ? {} : { minItems }) },
  arrayMaxSize: { keywords: (max: number) => array(atMost('maxItems', max)) },
  arrayContains: {
    keywords: (values: readonly unknown[]) =>
      array({ allOf: jsonValues(values).map((value) => ({ contains: { enum: [value] } })) }),
  },
  arrayNotContains: {
    keywords: (values: readonly unknown[]) =>
      array({ not: { contains: { enum: jsonValues(values) } } }),
  },
  arrayUnique: {
    // Objects are compared by identity, or by what the application's own function makes of them.
    keywords: () => array(),
    note: () => 'all members differ',
  },
};

/** Decorators about objects. */
export const OBJECT_RULES: RuleTable = {
  isObject: { keywords: () => ({ type: 'object' }) },
  isNotEmptyObject: {
    keywords: () => ({ type: 'object', minProperties: 1 }),
    note: (options?: { readonly nullable?: boolean }) =>
      options?.nullable === false ? 'at least one property that is not null' : undefined,
  },
  nestedValidation: words(() => undefined),
  promiseValidation: words(() => undefined),
  whitelistValidation: { allowsMissing: true },
};
