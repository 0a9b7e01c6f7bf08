import type { AnyClass } from './class-type';
import type { MetadataStorage, ValidatorConstraintInterface } from 'class-validator';

/** One decorator of class-validator on one property. */
export interface ValidationRule {
  /** `customValidation`, `nestedValidation`, `conditionalValidation`, `isDefined`, … */
  readonly kind: string;
  /** The decorator's own name: `isString`, `minLength`, … */
  readonly name: string;
  readonly constraints: readonly unknown[];
  /** The rule is about the members of a list. */
  readonly each: boolean;
  /** Whether the rule applies only under its own condition. */
  readonly isConditional: boolean;
  readonly constraint: AnyClass | undefined;
  readonly message: unknown;
}

/** The rules that class-validator applies to instances of a class, by property. */
export function validationRulesOf(
  type: AnyClass,
  groups: readonly string[],
): ReadonlyMap<string, readonly ValidationRule[]> {
  const rules = new Map<string, ValidationRule[]>();
  for (const metadata of targetMetadatasOf(type, groups)) {
    const rule: ValidationRule = {
      kind: metadata.type,
      name: metadata.name ?? metadata.type,
      constraints: metadata.constraints ?? [],
      each: metadata.each ?? false,
      isConditional: metadata.validateIf !== undefined,
      constraint: metadata.constraintCls as AnyClass | undefined,
      message: metadata.message,
    };
    const present = rules.get(metadata.propertyName);
    if (present) present.push(rule);
    else rules.set(metadata.propertyName, [rule]);
  }
  return rules;
}

/** The name under which a custom `@Validate(Constraint)` reports. */
export function constraintNameOf(constraint: AnyClass | undefined): string | undefined {
  return constraint && metadataStorage().getTargetValidatorConstraints(constraint)[0]?.name;
}

/** The message of a custom rule's constraint, with `$property` and `$value` for unknown values; '' if it has none. */
export function defaultMessageOf({ constraint, constraints }: ValidationRule): string {
  try {
    // Not constructed: it may need injected providers.
    const unbuilt = Object.create(constraint?.prototype as object) as ValidatorConstraintInterface;
    const message: unknown = unbuilt.defaultMessage?.({
      value: '$value',
      constraints: [...constraints],
      targetName: 'the object',
      object: {},
      property: '$property',
    });
    return typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

let loaded: MetadataStorage | undefined;

/** Loaded for the first class, for an application may have none. */
function metadataStorage(): MetadataStorage {
  loaded ??= (require('class-validator') as typeof import('class-validator')).getMetadataStorage();
  return loaded;
}

/** One decorator as class-validator keeps it. */
type TargetMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

/**
 * The result of class-validator's storage for its default options. The storage walks through every
 * class of the application on each call; this looks up the class and its ancestors alone.
 */
export function targetMetadatasOf(
  type: AnyClass,
  groups: readonly string[],
  storage: MetadataStorage = metadataStorage(),
): readonly TargetMetadata[] {
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  if (!(byClass instanceof Map))
    return storage.getTargetValidationMetadatas(type, '', false, false, [...groups]);
  const metadatas = byClass as ReadonlyMap<unknown, readonly TargetMetadata[]>;
  const own = inGroups(metadatas.get(type), groups);
  let inherited: readonly TargetMetadata[] = NONE;
  let prototype = Object.getPrototypeOf(type.prototype) as object | null;
  for (; prototype !== null; prototype = Object.getPrototypeOf(prototype) as object | null) {
    const declared = metadatas.get(prototype.constructor);
    if (declared) inherited = [...inGroups(declared, groups), ...inherited];
  }
  if (inherited.length === 0) return own;
  // A rule of the same kind at the class itself replaces all inherited ones of that property.
  const isReplaced = ({ propertyName, type: kind }: TargetMetadata): boolean =>
    own.some((rule) => rule.propertyName === propertyName && rule.type === kind);
  return [...own, ...inherited.filter((rule) => !isReplaced(rule))];
}

const NONE: readonly TargetMetadata[] = [];

function inGroups(
  metadatas: readonly TargetMetadata[] = NONE,
  groups: readonly string[],
): readonly TargetMetadata[] {
  if (groups.length === 0) return metadatas;
  return metadatas.filter(
    ({ always, groups: own }) =>
      always === true || own?.some((group) => groups.includes(group)) === true,
  );
}
