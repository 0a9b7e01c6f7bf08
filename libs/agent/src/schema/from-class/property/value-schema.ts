import type { TypeMetadata } from 'class-transformer';
import type { JsonSchema } from '../../../tool';
import { apiSchema, apiType, isDescribed } from './api-schema';
import { supplemented } from './api-supplement';
import { namedType, type ValidationRule } from '../../metadata';
import { type PropertyFacts } from '../class-properties';
import { combine, NOTHING, typesOf, without } from '../../json-schema';
import { ruleSchema } from './rule-schema';
import { demandsArray } from '../../rules';
import { coerced } from '../type-schema';
import { isObjectClass } from './transformed-schema';
import type { TypeSchemas } from './type-schemas.interface';

/** The schema of a property's value from its rules and types together; transforms left aside. */
export function valueSchema(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { rules, transform, api } = facts;
  const typed = transform.type;
  const whole: ValidationRule[] = [];
  const members: ValidationRule[] = [];
  for (const rule of rules) {
    if (rule.each) members.push(rule);
    else if (rule.kind !== 'conditionalValidation') whole.push(rule);
  }
  const declared = typed && namedType(typed);
  // Without validators, only OpenAPI metadata applies, lists included.
  const isUnchecked = whole.length === 0 && members.length === 0;
  if (isUnchecked && declared === undefined && api && isDescribed(api))
    return apiSchema(api, types);
  const checked = checkedSchema(facts, { whole, members, declared }, types);
  return api ? supplemented(checked, api, types) : checked;
}

interface SortedRules {
  readonly whole: readonly ValidationRule[];
  readonly members: readonly ValidationRule[];
  /** The type of `@Type`. */
  readonly declared: unknown;
}

function checkedSchema(
  facts: PropertyFacts,
  { whole, members, declared }: SortedRules,
  types: TypeSchemas,
): JsonSchema {
  const { transform, api } = facts;
  const designType = facts.designType ?? initialType(facts);
  const named = apiType(api);
  const typed = transform.type;
  const container = containerOf(designType ?? typed?.reflectedType, declared);
  const one = (about: readonly ValidationRule[], fallback: unknown): JsonSchema =>
    memberSchema(about, { typed, declared, fallback }, types);

  if (container === 'map')
    return combine(
      { type: 'object', additionalProperties: one(members, undefined) },
      ruleSchema(whole.filter(isNoNesting)),
    );
  const demanded = whole.some(({ name }) => demandsArray(name));
  // Rules such as `@IsDefined()` imply no type.
  const isListed = named.isArray && !isTyped(ruleSchema(whole.filter(isNoNesting)));
  if (container === 'list' || demanded || isListed) {
    const nestedInside = [...members, ...whole.filter((rule) => !isNoNesting(rule))];
    const items = one(nestedInside, LISTS.has(named.type) ? undefined : named.type);
    const list = items === NOTHING ? { type: 'array', maxItems: 0 } : { type: 'array', items };
    const about = whole.filter(isNoNesting);
    if (declared === Date || !isScalar(items)) return combine(list, ruleSchema(about));
    // Equal scalars are never unique, whatever the application's own function compares.
    const others = about.filter(({ name }) => name !== 'arrayUnique');
    const isUnique = others.length < about.length;
    return combine(list, ruleSchema(others), isUnique ? { uniqueItems: true } : {});
  }
  if (members.length === 0) return one(whole, named.type ?? designType);
  // `each` lets a single value pass for a list of one.
  const item = one(members, undefined);
  const single = one([...members, ...whole], designType);
  if (isSpecific(designType)) return single;
  const list = combine({ type: 'array', items: item }, ruleSchema(whole));
  if (list === NOTHING) return single;
  return single === NOTHING ? list : { anyOf: [list, single] };
}

/** Types of OpenAPI metadata that say nothing of a list's members. */
const LISTS: ReadonlySet<unknown> = new Set([Array, Set, 'array']);

function isTyped(schema: JsonSchema): boolean {
  return schema.type !== undefined || schema.enum !== undefined;
}

interface MemberFacts {
  readonly typed: TypeMetadata | undefined;
  readonly declared: unknown;
  readonly fallback: unknown;
}

/** One value: the property's own, or a member of its list. */
function memberSchema(
  rules: readonly ValidationRule[],
  { typed, declared, fallback }: MemberFacts,
  types: TypeSchemas,
): JsonSchema {
  const said = ruleSchema(rules);
  const discriminator = typed?.options?.discriminator;
  if (discriminator?.subTypes?.length)
    return { ...combine(withoutObject(said)), ...types.unionSchema(discriminator) };
  if (declared === undefined) {
    if (isTyped(said)) {
      const isClass = isObjectClass(fallback) && said.type === 'object';
      return isClass ? withReference(said, types.typeSchema(fallback)) : said;
    }
    const base =
      typeof fallback === 'string' || Array.isArray(fallback) ? {} : types.typeSchema(fallback);
    return withReference(said, base);
  }
  const base = types.typeSchema(declared);
  if (declared === Date) return combine(base, without(said, 'type'));
  if (types.direction === 'output') return withReference(said, base);
  if (declared === Number || declared === String || declared === Boolean)
    return coerced(isTyped(said) ? said : combine(base, said), declared);
  return withReference(said, base);
}

/** A class's schema together with its rules: `@IsObject()` adds nothing to a reference. */
function withReference(said: JsonSchema, base: JsonSchema): JsonSchema {
  if (base.$ref === undefined) return combine(base, said);
  // Rules look into lists of lists as deep as they go.
  if (said.type === 'array') return combine(said, { items: base });
  return { ...withoutObject(said), ...base };
}

function withoutObject(schema: JsonSchema): JsonSchema {
  return schema.type === 'object' ? without(schema, 'type') : schema;
}

/** Whether a rule is about the value itself, not about its members. */
export function isNoNesting({ kind }: ValidationRule): boolean {
  return kind !== 'nestedValidation' && kind !== 'promiseValidation';
}

function containerOf(designType: unknown, declared: unknown): 'list' | 'map' | undefined {
  if (designType === Array || designType === Set || declared === Set) return 'list';
  if (designType === Map || declared === Map) return 'map';
  return undefined;
}

/** The type of an initial value: the compiler emits none for a property without decorators. */
function initialType({ rules, api, field, hasInitialValue, initialValue }: PropertyFacts): unknown {
  const isBare = rules.length === 0 && !api && !field && hasInitialValue;
  return isBare && initialValue !== null && initialValue !== undefined
    ? initialValue.constructor
    : undefined;
}

function isScalar({ type }: JsonSchema): boolean {
  const named = typesOf(type);
  return named.length > 0 && named.every((one) => one !== 'object' && one !== 'array');
}

/** Whether the compiler's type is more than `Object`. */
function isSpecific(designType: unknown): boolean {
  return typeof designType === 'function' && designType !== Object;
}
