import type { JsonSchema } from '../../tool';
import { enumSchema, enumValues } from './enum-values';
import { jsonValues, quote, type RuleTable } from './rule';

const oneOf = (values: readonly unknown[]): JsonSchema => enumSchema(jsonValues(values));

const NULL: JsonSchema = { type: 'null' };

const noneOf = (values: readonly unknown[]): JsonSchema => {
  const said = jsonValues(values);
  if (said.length === 0) return {};
  // The same keyword as `@IsDefined()`, so that it is dropped beside a type that refuses null.
  return { not: said.every((value) => value === null) ? NULL : { enum: said } };
};

/** Decorators that do not determine a type. */
export const COMMON_RULES: RuleTable = {
  equals: (value: unknown) => oneOf([value]),
  notEquals: (value: unknown) => noneOf([value]),
  isEmpty: { enum: ['', null] },
  isNotEmpty: { minLength: 1, not: NULL },
  isIn: oneOf,
  isNotIn: noneOf,
  isEnum: (entity: unknown) => enumSchema(enumValues(entity)),
  isDefined: { not: NULL },
  isInstance: (type: { readonly name?: string }) => ({
    description: `an instance of ${type?.name}`,
  }),
};

/** Decorators about dates; the value's own schema comes from its type. */
export const DATE_RULES: RuleTable = {
  isDate: {},
  minDate: (date: Date | (() => Date)) => ({ description: `not before ${quote(dateOf(date))}` }),
  maxDate: (date: Date | (() => Date)) => ({ description: `not after ${quote(dateOf(date))}` }),
};

function dateOf(date: Date | (() => Date)): Date {
  return typeof date === 'function' ? date() : date;
}
