import type { TypeMetadata } from 'class-transformer';
import type { JsonSchema } from '../../tool';
import { apiAnnotations, apiSchema, apiType, type Discriminator, isDescribed } from './api-schema';
import { supplemented } from './api-supplement';
import { asJson, isClass, namedType, type TypeTemplate, type ValidationRule } from '../metadata';
import { propertiesOf, type PropertyFacts } from './class-properties';
import {
  acceptsNull,
  combine,
  hasKeywords,
  NOTHING,
  nullable,
  typesOf,
  without,
  withNote,
} from '../json-schema';
import { ruleSchema } from './rule-schema';
import { allowsMissing, demandsArray } from '../rules';
import { coerced } from './type-schema';

/** Builds the schemas of the types that a property names. */
export interface TypeSchemas {
  readonly direction: 'input' | 'output';
  /** A class, a primitive or a built-in, as a schema or a reference to one. */
  typeSchema(type: unknown): JsonSchema;
  /** The schema of a type that the compiler plugin has described. */
  describedSchema(template: TypeTemplate): JsonSchema;
  /** The schema of a declared source: a type, a JSON Schema or a Standard Schema. */
  sourceSchema(source: unknown): JsonSchema;
  /** One of several classes, told apart by a property's value. */
  unionSchema(discriminator: Discriminator): JsonSchema;
}

/** The schema of one property as it stands on the wire. */
export function propertySchema(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { api, field, described } = facts;
  const schema =
    field?.schema === undefined ? shapeOf(facts, types) : types.sourceSchema(field.schema);
  const initial =
    facts.hasInitialValue && !facts.isMomentary ? asJson(facts.initialValue) : undefined;
  const shown =
    initial !== undefined && types.direction === 'input' ? { ...schema, default: initial } : schema;
  if (!api && !field && !described) return shown;
  const { description: note, ...keywords } = shown;
  const { writeOnly, default: declared, ...annotations } = apiAnnotations(api);
  const description = field?.description ?? annotations.description ?? described?.description;
  const example = field?.example ?? (annotations.examples ? undefined : described?.example);
  return withNote(
    {
      ...keywords,
      ...annotations,
      ...(described?.deprecated === true && { deprecated: true }),
      // swagger's compiler plugin runs the initialiser once, and declares the result.
      ...(declared !== undefined && !facts.isMomentary && { default: declared }),
      ...(example !== undefined && { examples: [example] }),
      ...((field?.sensitive ?? writeOnly) === true && { writeOnly: true }),
      ...(description !== undefined && { description }),
    },
    note,
  );
}

/** The schema of a property's value from decorators and types. */
function shapeOf(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { rules, transform, api, described } = facts;
  if (described?.type && !isDecorated(facts)) return types.describedSchema(described.type);
  const value = withDescribed(withoutNeedlessNot(valueOf(facts, types)), facts, types);
  let isConditional = false;
  let isOptional = false;
  for (const { kind, name } of rules) {
    if (kind !== 'conditionalValidation') continue;
    if (name === 'isOptional') isOptional = true;
    else isConditional = true;
  }
  let schema = value;
  if (api?.nullable === true && (rules.length === 0 || isOptional)) schema = nullable(schema);
  if (types.direction === 'input') {
    // Clients often send null if the condition does not hold.
    if (isConditional) schema = hasKeywords(schema) ? nullable(schema) : schema;
    else if (transform.isTransformed)
      schema = wireSchema(facts, schema, types) ?? convertible(schema);
  } else if (isOptional || isConditional || transform.isTransformed) {
    schema = transform.isTransformed ? {} : nullable(schema);
  }
  return schema;
}

/** Whether decorators say anything about the type. */
export function isDecorated({ rules, api, transform }: PropertyFacts): boolean {
  const { type, isTransformed } = transform;
  return rules.length > 0 || api !== undefined || type !== undefined || isTransformed;
}

/** What decorators leave open, from the type that the compiler plugin saw. */
function withDescribed(
  schema: JsonSchema,
  { described, transform }: PropertyFacts,
  types: TypeSchemas,
): JsonSchema {
  if (described?.type === undefined || transform.isTransformed) return schema;
  if (!SHAPES.some((keyword) => keyword in schema))
    return { ...types.describedSchema(described.type), ...schema };
  const { enum: values, type } = described.type;
  const isListed = Array.isArray(values) && type === schema.type;
  return isListed && !schema.enum && !schema.pattern
    ? { ...schema, enum: values as JsonSchema['enum'] }
    : schema;
}

const SHAPES = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not'];

/** Drops the `not` of `@IsDefined()` and `@NotEquals(null)` beside a type that excludes null. */
function withoutNeedlessNot(schema: JsonSchema): JsonSchema {
  if (schema.not === undefined || JSON.stringify(schema.not) !== '{"type":"null"}') return schema;
  return !acceptsNull(without(schema, 'not')) ? without(schema, 'not') : schema;
}

/** Whether a property is required. */
export function isRequired({
  rules,
  api,
  field,
  described,
  hasInitialValue,
}: PropertyFacts): boolean {
  if (field?.required !== undefined) return field.required;
  if (hasInitialValue) return false;
  if (rules.some(({ kind }) => kind === 'conditionalValidation')) return false;
  // A custom decorator is taken to refuse a missing value.
  if (rules.some((rule) => !rule.isConditional && isNoNesting(rule) && !allowsMissing(rule.name)))
    return true;
  if (rules.length === 0 && api === undefined)
    return described ? described.optional !== true : field !== undefined;
  // Beside nested properties, `required` lists those.
  return api !== undefined && (api.selfRequired ?? api.required) !== false;
}

function valueOf(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { rules, transform, api } = facts;
  const typed = transform.type;
  const whole: ValidationRule[] = [];
  const members: ValidationRule[] = [];
  for (const rule of rules) {
    if (rule.each) members.push(rule);
    else if (rule.kind !== 'conditionalValidation') whole.push(rule);
  }
  const declared = typed && namedType(typed);
  // Without validators, OpenAPI metadata alone counts, lists included.
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

/** The schema of rules and types together. */
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
  if (container === 'list' || demanded || (named.isArray && whole.length === 0)) {
    const nestedInside = [...members, ...whole.filter((rule) => !isNoNesting(rule))];
    const items = one(
      nestedInside,
      named.type === Array || named.type === 'array' ? undefined : named.type,
    );
    const list = items === NOTHING ? { type: 'array', maxItems: 0 } : { type: 'array', items };
    return combine(list, ruleSchema(whole.filter(isNoNesting)));
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
    if (said.type !== undefined || said.enum !== undefined) {
      const isClass = isSpecific(fallback) && said.type === 'object';
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
    return coerced(
      said.type === undefined && said.enum === undefined ? combine(base, said) : said,
      declared,
    );
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

function isNoNesting({ kind }: ValidationRule): boolean {
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

/** Whether the compiler's type is more than `Object`. */
function isSpecific(designType: unknown): boolean {
  return typeof designType === 'function' && designType !== Object;
}

/**
 * The schema before a `@Transform`, from `@ApiProperty`: `{ type: String }` beside
 * `@Transform(({ value }) => JSON.parse(value))`.
 */
function wireSchema(
  { api, transform }: PropertyFacts,
  made: JsonSchema,
  types: TypeSchemas,
): JsonSchema | undefined {
  const wire = api && apiSchema(api, types);
  const [type = ''] = typesOf(wire?.type);
  const madeTypes = typesOf(made.type);
  if (!wire || !SCALARS.includes(type) || madeTypes.includes(type)) return undefined;
  if (madeTypes.includes('integer') && type === 'number') return undefined;
  const named = transform.type && namedType(transform.type);
  const names = isClass(named)
    ? propertiesOf(named, 'input', []).map((property) => property.transform.name)
    : [];
  const parts = names.length > 0 ? ` with ${names.join(', ')}` : '';
  if (type !== 'string' || !isClass(named)) return wire;
  const what = madeTypes.includes('array') ? 'a list of objects' : 'an object';
  return withNote(wire, `JSON text of ${what}${parts}`);
}

const SCALARS: readonly string[] = ['string', 'number', 'integer', 'boolean'];

/**
 * The schema before a `@Transform` without `@ApiProperty`: text is accepted too, since many convert
 * from text.
 */
function convertible(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema.type);
  if (!hasKeywords(schema) || types.includes('string')) return schema;
  if (types.length > 0 && !schema.enum) return { ...schema, type: [...types, 'string'] };
  return schema.enum ? schema : { anyOf: [schema, { type: 'string' }] };
}
