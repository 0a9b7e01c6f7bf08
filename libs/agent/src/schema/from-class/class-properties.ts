import { chainOf, getOrAdd, oncePer } from '../../internal';
import {
  type AnyClass,
  apiPropertiesOf,
  type ApiProperty,
  excludesSome,
  initialValuesOf,
  pluginPropertiesOf,
  type PluginProperty,
  type ToolFieldOptions,
  toolFieldsOf,
  transformedProperties,
  transformReaderOf,
  type TransformRules,
  type ValidationRule,
  validationRulesOf,
} from '../metadata';
import type { Direction } from '../json-schema';
import { refuses } from './refused-value';
import type { SchemaOptions } from './schema-source';
import { type SkippedValues, withSkipped } from './skipped-values';
import { standardSchemaOf } from './standard-schema';

/** A property's metadata from decorators, the compiler and its initialiser. */
export interface PropertyFacts {
  readonly property: string;
  readonly transform: TransformRules;
  readonly rules: readonly ValidationRule[];
  /** The type that TypeScript emitted; `Object` and `undefined` mean an unknown type. */
  readonly designType?: unknown;
  readonly api?: ApiProperty;
  readonly field?: ToolFieldOptions;
  /** The compiler plugin's description; decorators take precedence. */
  readonly described?: PluginProperty;
  /** A new instance has a value that its rules do not refuse. */
  readonly hasInitialValue: boolean;
  readonly initialValue?: unknown;
  /** The rules refuse the value of a new instance, so it must be replaced. */
  readonly isInitialRefused: boolean;
  /** The value differs between instances: a random one, or the time. */
  readonly isMomentary: boolean;
}

// Decorators do not change once a class is defined, and many tools share a class.
const known = oncePer((_type: AnyClass) => new Map<string, readonly PropertyFacts[]>());

/** The properties of a class that are visible in one direction. */
export function propertiesOf(
  type: AnyClass,
  direction: Direction,
  options: SchemaOptions = {},
): readonly PropertyFacts[] {
  const { groups = [], skipped } = options;
  const key = `${direction} ${skipped} ${groups.join(' ')}`;
  return getOrAdd(known(type), key, () => readProperties(type, direction, groups, skipped));
}

/** Whether no decorator declares a property of a class, so that any property may occur. */
export function isUndecorated(type: AnyClass): boolean {
  return (
    validationRulesOf(type, []).size === 0 &&
    apiPropertiesOf(type).size === 0 &&
    toolFieldsOf(type).size === 0 &&
    pluginPropertiesOf(type).size === 0 &&
    !isListedByTransforms(type)
  );
}

/** class-transformer converts values: it names the properties only where it passes over none. */
function isListedByTransforms(type: AnyClass): boolean {
  return (
    !excludesSome(type) &&
    transformedProperties(type).some((property) => isWritable(type, property))
  );
}

function readProperties(
  type: AnyClass,
  direction: Direction,
  groups: readonly string[],
  skipped: SkippedValues | undefined,
): readonly PropertyFacts[] {
  // Only its own schema applies; the metadata it gives to swagger fails for types without JSON Schema.
  if (standardSchemaOf(type)) return [];
  const rules = validationRulesOf(type, groups);
  const api = apiPropertiesOf(type);
  const fields = toolFieldsOf(type);
  const described = pluginPropertiesOf(type);
  const { values: initial, momentary, listed } = initialValuesOf(type);
  const transformOf = transformReaderOf(type, direction, groups);
  // The compiler plugin knows the order in which they are written.
  const declared = new Set<unknown>([...described.keys(), ...rules.keys()]);
  for (const property of api.keys()) declared.add(property);
  for (const property of fields.keys()) declared.add(property);
  for (const property of transformedProperties(type)) declared.add(property);
  // A class without decorators has only its initialised properties.
  const names = declared.size > 0 ? declared : listed;
  const facts: PropertyFacts[] = [];
  for (const property of names) {
    // JSON has no symbol keys.
    if (typeof property !== 'string') continue;
    if (direction === 'input' && !isWritable(type, property)) continue;
    const transform = transformOf(property);
    if (transform.isHidden) continue;
    const initialValue = Object.hasOwn(initial, property) ? initial[property] : undefined;
    const declaredRules = rules.get(property) ?? [];
    const own = skipped ? withSkipped(declaredRules, skipped) : declaredRules;
    const isMomentary = momentary.has(property);
    const isInitialRefused =
      direction === 'input' &&
      initialValue !== undefined &&
      !isMomentary &&
      refuses(own, initialValue);
    facts.push({
      property,
      transform,
      rules: own,
      designType: Reflect.getMetadata('design:type', type.prototype as object, property),
      api: besideRules(api.get(property), own),
      field: fields.get(property),
      described: described.get(property),
      hasInitialValue: initialValue !== undefined && !isInitialRefused,
      initialValue,
      isInitialRefused,
      isMomentary,
    });
  }
  return facts;
}

/**
 * Keywords that swagger's compiler plugin derives from a rule, and that refuse more than it: patterns
 * without flags or of plain text, formats without options, 1 as the least positive number, and equal
 * objects.
 */
const NARROWED: Readonly<Record<string, readonly [keyword: string, value?: unknown]>> = {
  matches: ['pattern'],
  contains: ['pattern'],
  isHexColor: ['pattern'],
  isHexadecimal: ['pattern'],
  isUrl: ['format', 'uri'],
  isEmail: ['format', 'email'],
  isPositive: ['minimum', 1],
  isNegative: ['maximum', -1],
  arrayUnique: ['uniqueItems'],
};

/** OpenAPI metadata without keywords that its plugin narrowed: the rules themselves express them. */
function besideRules(
  api: ApiProperty | undefined,
  rules: readonly ValidationRule[],
): ApiProperty | undefined {
  return rules.reduce((left, { name }) => {
    const [keyword, value] = (Object.hasOwn(NARROWED, name) && NARROWED[name]) || [];
    const isNarrowed = keyword !== undefined && left?.[keyword] === (value ?? left?.[keyword]);
    return left && isNarrowed ? { ...left, [keyword]: undefined } : left;
  }, api);
}

/** A getter without a setter, and a method, cannot be assigned. */
function isWritable(type: AnyClass, property: string): boolean {
  if (!(property in (type.prototype as object))) return true;
  for (const prototype of chainOf(type.prototype as object)) {
    const own = Object.getOwnPropertyDescriptor(prototype, property);
    if (own)
      return (
        own.set !== undefined ||
        (own.get === undefined && own.writable === true && typeof own.value !== 'function')
      );
  }
  return true;
}
