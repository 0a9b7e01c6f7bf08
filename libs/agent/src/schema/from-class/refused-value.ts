import type { ValidatorConstraintInterface } from 'class-validator';
import type { ValidationRule } from '../metadata';
import { ruleOf } from '../rules';

/**
 * Whether class-validator's own rules refuse a value. Custom rules are not called: they may need
 * injected providers.
 */
export function refuses(rules: readonly ValidationRule[], value: unknown): boolean {
  const isMissing = value === null || value === undefined;
  if (isMissing && rules.some(({ name }) => name === 'isOptional')) return false;
  return rules.some((rule) => {
    if (rule.isConditional || rule.kind === 'conditionalValidation') return false;
    if (ruleOf(rule.name, rule.constraints) === undefined) return false;
    return membersOf(value, rule).some((member) => isRefusedBy(rule, member));
  });
}

/** What a rule checks: the value, or its members with `each`. */
function membersOf(value: unknown, { each }: ValidationRule): readonly unknown[] {
  if (each && (Array.isArray(value) || value instanceof Set || value instanceof Map))
    return [...(value as Map<unknown, unknown>).values()];
  return [value];
}

function isRefusedBy({ constraint, constraints, name }: ValidationRule, value: unknown): boolean {
  // The class that class-validator creates for a function; others may need constructor arguments.
  if (constraint?.name !== 'CustomConstraint') return false;
  try {
    const check = Reflect.construct(constraint, []) as ValidatorConstraintInterface;
    const about = { value, constraints: [...constraints], targetName: '', object: {} };
    return check.validate(value, { ...about, property: name }) === false;
  } catch {
    return false;
  }
}
