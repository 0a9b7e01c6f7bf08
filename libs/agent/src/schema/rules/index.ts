import { ARRAY_RULES, OBJECT_RULES } from './collection.rules';
import { COMMON_RULES, DATE_RULES } from './common.rules';
import { NUMBER_RULES } from './number.rules';
import type { Rule, RuleTable } from './rule';
import { CODE_RULES, FORMAT_RULES, TEXT_RULES } from './string.rules';

export { enumSchema, enumValues } from './enum-values';

/** Every decorator of class-validator, by the name under which it registers. */
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

/** The rule of a decorator; a custom decorator has none. */
export function ruleOf(name: string): Rule | undefined {
  return Object.hasOwn(RULES, name) ? RULES[name] : undefined;
}

/** Whether a decorator accepts nothing but a list. */
export function demandsArray(name: string): boolean {
  return Object.hasOwn(ARRAY_RULES, name);
}
