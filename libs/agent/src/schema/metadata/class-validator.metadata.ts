import type { AnyClass } from '../class-type';
import { getMetadataStorage } from 'class-validator';

/** One decorator of class-validator on one property. */
export interface ValidationRule {
  /** `customValidation`, `nestedValidation`, `conditionalValidation`, `isDefined`, … */
  readonly kind: string;
  /** The decorator's own name: `isString`, `minLength`, … */
  readonly name: string;
  readonly constraints: readonly unknown[];
  /** The rule is about the members of a list. */
  readonly each: boolean;
  /** The rule counts only under a condition of its own. */
  readonly isConditional: boolean;
  readonly constraint: AnyClass | undefined;
  readonly message: unknown;
}

/** The rules class-validator would apply to instances of a class, by property. */
export function validationRulesOf(
  type: AnyClass,
  groups: readonly string[],
): ReadonlyMap<string, readonly ValidationRule[]> {
  const rules = new Map<string, ValidationRule[]>();
  // Asking the library itself is what makes inheritance and groups exact.
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false, [
    ...groups,
  ])) {
    const own = rules.get(metadata.propertyName) ?? [];
    if (own.length === 0) rules.set(metadata.propertyName, own);
    own.push({
      kind: metadata.type,
      name: metadata.name ?? metadata.type,
      constraints: metadata.constraints ?? [],
      each: metadata.each ?? false,
      isConditional: metadata.validateIf !== undefined,
      constraint: metadata.constraintCls as AnyClass | undefined,
      message: metadata.message,
    });
  }
  return rules;
}

/** The name under which a custom `@Validate(Constraint)` reports. */
export function constraintNameOf(constraint: AnyClass | undefined): string | undefined {
  return constraint && getMetadataStorage().getTargetValidatorConstraints(constraint)[0]?.name;
}
