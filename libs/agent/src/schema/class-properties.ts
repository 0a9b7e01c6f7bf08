import type { AnyClass } from './class-type';
import type { Direction } from './direction';
import { type ApiProperty, apiPropertiesOf } from './metadata/swagger.metadata';
import {
  transformedProperties,
  transformRulesOf,
  type TransformRules,
} from './metadata/class-transformer.metadata';
import { type ValidationRule, validationRulesOf } from './metadata/class-validator.metadata';
import { initialValuesOf } from './metadata/initial-values';
import { type ToolFieldOptions, toolFieldsOf } from './metadata/tool-field.metadata';

/** All that decorators, the compiler and an initialiser tell of one property. */
export interface PropertyFacts {
  readonly property: string;
  readonly transform: TransformRules;
  readonly rules: readonly ValidationRule[];
  /** What TypeScript emitted; `Object` and `undefined` say nothing. */
  readonly designType?: unknown;
  readonly api?: ApiProperty;
  readonly field?: ToolFieldOptions;
  readonly hasInitialValue: boolean;
  readonly initialValue?: unknown;
}

// Decorators do not change once a class is defined, and many tools share a class.
const known = new WeakMap<AnyClass, Map<string, readonly PropertyFacts[]>>();

/** The properties of a class that are visible in one direction. */
export function propertiesOf(
  type: AnyClass,
  direction: Direction,
  groups: readonly string[],
): readonly PropertyFacts[] {
  const facts = known.get(type) ?? new Map<string, readonly PropertyFacts[]>();
  const key = [direction, ...groups].join(' ');
  const present = facts.get(key) ?? readProperties(type, direction, groups);
  known.set(type, facts.set(key, present));
  return present;
}

function readProperties(
  type: AnyClass,
  direction: Direction,
  groups: readonly string[],
): readonly PropertyFacts[] {
  const rules = validationRulesOf(type, groups);
  const api = apiPropertiesOf(type);
  const fields = toolFieldsOf(type);
  const initial = initialValuesOf(type);
  const declared = new Set([
    ...rules.keys(),
    ...api.keys(),
    ...fields.keys(),
    ...transformedProperties(type),
  ]);
  // A class without any decorator can only show what it initialises.
  const names = declared.size > 0 ? declared : new Set(initial.keys());
  const facts: PropertyFacts[] = [];
  for (const property of names) {
    if (direction === 'input' && !isWritable(type, property)) continue;
    const transform = transformRulesOf(type, property, direction, groups);
    if (transform.isHidden) continue;
    facts.push({
      property,
      transform,
      rules: rules.get(property) ?? [],
      designType: Reflect.getMetadata('design:type', type.prototype as object, property),
      api: api.get(property),
      field: fields.get(property),
      hasInitialValue: initial.has(property),
      initialValue: initial.get(property),
    });
  }
  return facts;
}

/** A getter without a setter, and a method, cannot be filled. */
function isWritable(type: AnyClass, property: string): boolean {
  if (!(property in (type.prototype as object))) return true;
  for (
    let prototype = type.prototype as object | null;
    prototype !== null;
    prototype = Object.getPrototypeOf(prototype) as object | null
  ) {
    const own = Object.getOwnPropertyDescriptor(prototype, property);
    if (own)
      return (
        own.set !== undefined ||
        (own.get === undefined && own.writable === true && typeof own.value !== 'function')
      );
  }
  return true;
}
