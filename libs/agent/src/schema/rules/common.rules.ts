import type { JsonSchema } from '../../tool';
import { enumSchema, enumValues } from './enum-values';
import { jsonValues, quote, type Rule, type RuleTable, words } from './rule';

const oneOf: Rule = {
  keywords: (values: readonly unknown[]) => enumSchema(jsonValues(values)),
};

const NULL: JsonSchema = { type: 'null' };

const noneOf = (values: readonly unknown[]): JsonSchema => {
  const said = jsonValues(values);
  if (said.length === 0) return {};
  // In the words of `@IsDefined()`, so that it goes where a type refuses null already.
  return { not: said.every((value) => value === null) ? NULL : { enum: said } };
};

/** Decorators that say nothing of a value's type. */
export const COMMON_RULES: RuleTable = {
  equals: { keywords: (value: unknown) => enumSchema(jsonValues([value])) },
  notEquals: { keywords: (value: unknown) => noneOf([value]), allowsMissing: true },
  isEmpty: { keywords: () => ({ enum: ['', null] }), allowsMissing: true },
  isNotEmpty: { keywords: () => ({ minLength: 1, not: NULL }) },
  isIn: oneOf,
  isNotIn: { keywords: noneOf, allowsMissing: true },
  isEnum: { keywords: (entity: unknown) => enumSchema(enumValues(entity)) },
  isDefined: { keywords: () => ({ not: NULL }) },
  isInstance: words((type: { readonly name?: string }) => `an instance of ${type?.name}`),
};

/** Decorators about dates; the value's own schema comes from its type. */
export const DATE_RULES: RuleTable = {
  isDate: {},
  minDate: words((date: Date | (() => Date)) => `not before ${quote(dateOf(date))}`),
  maxDate: words((date: Date | (() => Date)) => `not after ${quote(dateOf(date))}`),
};

function dateOf(date: Date | (() => Date)): Date {
  return typeof date === 'function' ? date() : date;
}
