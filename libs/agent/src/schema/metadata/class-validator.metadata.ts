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
  for (const metadata of metadatasOf(type, groups)) {
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

type Metadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/**
 * The storage answers the same question, but walks through every class of the application each
 * time; looking up the class and its ancestors keeps a boot with a thousand tools short.
 */
function metadatasOf(type: AnyClass, groups: readonly string[]): readonly Metadata[] {
  const storage = getMetadataStorage();
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  if (!(byClass instanceof Map))
    return storage.getTargetValidationMetadatas(type, '', false, false, [...groups]);
  const rulesOf = (one: unknown): readonly Metadata[] =>
    ((byClass as ReadonlyMap<unknown, readonly Metadata[]>).get(one) ?? []).filter((rule) =>
      appliesIn(rule, groups),
    );
  const own = rulesOf(type);
  const inherited: Metadata[] = [];
  let prototype = Object.getPrototypeOf(type.prototype) as object | null;
  for (; prototype !== null; prototype = Object.getPrototypeOf(prototype) as object | null)
    inherited.unshift(...rulesOf(prototype.constructor));
  // A rule of the same kind at the class itself replaces all inherited ones of that property.
  const isReplaced = ({ propertyName, type: kind }: Metadata): boolean =>
    own.some((rule) => rule.propertyName === propertyName && rule.type === kind);
  return [...own, ...inherited.filter((rule) => !isReplaced(rule))];
}

function appliesIn({ always, groups: own }: Metadata, groups: readonly string[]): boolean {
  if (always !== undefined && always) return true;
  return groups.length === 0 || (own?.some((group) => groups.includes(group)) ?? false);
}
