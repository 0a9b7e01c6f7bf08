// The rules of class-validator's decorators, as JSON Schema.
import type { JsonSchema } from '../../tool';
import { ARRAY_RULES, OBJECT_RULES } from './collection.rules';
import { COMMON_RULES, DATE_RULES } from './common.rules';
import { NUMBER_RULES } from './number.rules';
import type { RuleTable } from './rule';
import { CODE_RULES, FORMAT_RULES, TEXT_RULES } from './string.rules';

export { enumSchema, enumValues } from './enum-values';
export { jsonValues } from './rule';

/** All decorators of class-validator, by their registered names. */
export const RULES: RuleTable = {
  ...COMMON_RULES,
  ...DATE_RULES,
  ...NUMBER_RULES,
  ...TEXT_RULES,
  ...FORMAT_RULES,
  ...CODE_RULES,
  ...ARRAY_RULES,
  ...OBJECT_RULES,
};

/** A decorator as JSON Schema; `undefined` for a custom one. */
export function ruleOf(name: string, constraints: readonly unknown[]): JsonSchema | undefined {
  if (!Object.hasOwn(RULES, name)) return undefined;
  const rule = RULES[name];
  return typeof rule === 'function' ? rule(...(constraints as readonly never[])) : rule;
}

const ALLOWING_MISSING = ['isEmpty', 'notEquals', 'isNotIn', 'whitelistValidation'];

/** Whether a decorator accepts a missing value. */
export function allowsMissing(name: string): boolean {
  return ALLOWING_MISSING.includes(name);
}

/** Whether a decorator accepts only lists. */
export function demandsArray(name: string): boolean {
  return Object.hasOwn(ARRAY_RULES, name);
}

/** Whether a decorator accepts only instances of `Date`. */
export function demandsDate(name: string): boolean {
  return Object.hasOwn(DATE_RULES, name);
}
