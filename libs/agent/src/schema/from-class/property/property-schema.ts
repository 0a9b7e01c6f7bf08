import type { JsonValue } from '../../../message';
import type { JsonSchema } from '../../../tool';
import { apiAnnotations } from './api-schema';
import { asJson, type ValidationRule } from '../../metadata';
import { type PropertyFacts } from '../class-properties';
import { refuses } from '../refused-value';
import { isWithin } from '../taken-default';
import {
  acceptsNull,
  hasKeywords,
  isAnyObject,
  mapSchemas,
  nullable,
  saysWhatItIs,
  typesOf,
  without,
  withNote,
} from '../../json-schema';
import { allowsMissing } from '../../rules';
import { hasChecked, withUnchecked } from './condition';
import { convertible, wireSchema } from './transformed-schema';
import type { TypeSchemas } from './type-schemas.interface';
import { isNoNesting, valueSchema } from './value-schema';

/** The schema of one property in its JSON form. */
export function propertySchema(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { api, field, described } = facts;
  const schema =
    field?.schema === undefined ? shapeOf(facts, types) : types.sourceSchema(field.schema);
  const initial =
    facts.hasInitialValue && !facts.isMomentary ? asJson(facts.initialValue) : undefined;
  const isShown = initial !== undefined && types.direction === 'input' && isWithin(schema, initial);
  const shown = isShown ? { ...schema, default: initial } : schema;
  if (!api && !field && !described) return shown;
  const { description: note, ...keywords } = shown;
  const { writeOnly, default: declared, examples, ...annotations } = apiAnnotations(api);
  const shownExamples = accepted(examples, facts, schema);
  const description = field?.description ?? annotations.description ?? described?.description;
  const example = field?.example ?? (shownExamples.length > 0 ? undefined : described?.example);
  return withNote(
    {
      ...keywords,
      ...annotations,
      ...(shownExamples.length > 0 && { examples: shownExamples }),
      ...(described?.deprecated === true && { deprecated: true }),
      // swagger's compiler plugin runs the initialiser once, and declares the result.
      ...(isDefault(declared, facts, schema) && { default: declared }),
      ...(example !== undefined && { examples: [example] }),
      ...((field?.sensitive ?? writeOnly) === true && { writeOnly: true }),
      ...(description !== undefined && { description }),
    },
    note,
  );
}

function isDefault(
  value: JsonValue | undefined,
  facts: PropertyFacts,
  schema: JsonSchema,
): boolean {
  if (value === undefined || facts.isMomentary || facts.isInitialRefused) return false;
  return isAccepted(value, facts, schema);
}

/** Those of the documented examples that the property takes: a model copies them. */
function accepted(
  examples: unknown,
  facts: PropertyFacts,
  schema: JsonSchema,
): readonly JsonValue[] {
  if (!Array.isArray(examples)) return [];
  return (examples as readonly JsonValue[]).filter((one) => isAccepted(one, facts, schema));
}

/**
 * Whether the rules and the schema accept a documented value. A value that is converted before the rules
 * see it counts as accepted.
 */
function isAccepted(
  value: JsonValue,
  { rules, transform }: PropertyFacts,
  schema: JsonSchema,
): boolean {
  if (!isWithin(schema, value)) return false;
  return transform.type !== undefined || transform.isTransformed || !refuses(rules, value);
}

/** The schema of a property's value from decorators and types. */
function shapeOf(facts: PropertyFacts, types: TypeSchemas): JsonSchema {
  const { rules, transform, api, described } = facts;
  if (described?.type && !isDecorated(facts)) return types.describedSchema(described.type);
  const value = withDescribed(withoutNeedless(valueSchema(facts, types)), facts, types);
  const conditions: ValidationRule[] = [];
  let isOptional = false;
  let isNullSkipped = false;
  for (const rule of rules) {
    if (rule.kind !== 'conditionalValidation') continue;
    if (rule.name === 'isOptional') isOptional = true;
    else conditions.push(rule);
    isNullSkipped ||= !hasChecked(rule, null);
  }
  const isConditional = conditions.length > 0;
  let schema = api ? withUnchecked(value, api, conditions, types) : value;
  if (api?.nullable === true && (rules.length === 0 || isOptional)) schema = nullable(schema);
  if (types.direction === 'input') {
    if (transform.isTransformed) schema = wireSchema(facts, schema, types) ?? convertible(schema);
    // Only null avoids the refused initial value.
    if (isOptional && facts.isInitialRefused) schema = nullable(schema);
    // Clients often send null if the condition does not hold.
    if (isConditional && isNullSkipped && hasKeywords(schema)) schema = nullable(schema);
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

/** Completes a schema that the decorators leave open from the compiler plugin's type. */
function withDescribed(
  schema: JsonSchema,
  { described, transform }: PropertyFacts,
  types: TypeSchemas,
): JsonSchema {
  if (described?.type === undefined || transform.isTransformed) return schema;
  if (!saysWhatItIs(schema) && !('not' in schema))
    return { ...types.describedSchema(described.type), ...schema };
  if (saysNothingInside(schema) && described.type.type === schema.type)
    return { ...types.describedSchema(described.type), ...without(schema, 'items') };
  const { enum: values, type } = described.type;
  const isListed = Array.isArray(values) && type === schema.type;
  return isListed && !schema.enum && !schema.pattern
    ? { ...schema, enum: values as JsonSchema['enum'] }
    : schema;
}

/** A list or an object of anything, as `@IsArray()` and `@IsObject()` make it. */
function saysNothingInside(schema: JsonSchema): boolean {
  const { type, items = {} } = schema;
  if (type === 'array') return typeof items === 'object' && !hasKeywords(items);
  return isAnyObject(schema);
}

/**
 * Drops keywords that the type makes redundant, also in members: the `not` of `@IsDefined()` and `@NotEquals(null)`
 * where it excludes null, the length of `@IsNotEmpty()` where it excludes texts.
 */
function withoutNeedless(schema: JsonSchema): JsonSchema {
  const mapped = mapSchemas(schema, withoutNeedless);
  const { type } = mapped;
  const inside =
    type === undefined || typesOf(type).includes('string') ? mapped : without(mapped, 'minLength');
  if (JSON.stringify(inside.not) !== '{"type":"null"}') return inside;
  return acceptsNull(without(inside, 'not')) ? inside : without(inside, 'not');
}

export function isRequired({
  rules,
  api,
  field,
  described,
  hasInitialValue,
  initialValue,
  isInitialRefused,
}: PropertyFacts): boolean {
  if (field?.required !== undefined) return field.required;
  if (hasInitialValue) return false;
  const conditions = rules.filter(({ kind }) => kind === 'conditionalValidation');
  // `@IsOptional()` lets only null and undefined pass.
  const isInitialChecked = (rule: ValidationRule): boolean =>
    rule.name === 'isOptional' || hasChecked(rule, initialValue);
  if (isInitialRefused) return conditions.every(isInitialChecked);
  // A custom decorator is taken to refuse a missing value.
  const isMissingRefused = rules
    .filter((rule) => !rule.isConditional && !conditions.includes(rule))
    .some((rule) => isNoNesting(rule) && !allowsMissing(rule.name));
  if (conditions.length > 0)
    return isMissingRefused && conditions.every((rule) => hasChecked(rule, undefined));
  if (isMissingRefused) return true;
  if (rules.length === 0 && api === undefined)
    return described ? described.optional !== true : field !== undefined;
  // Beside nested properties, `required` lists those.
  return api !== undefined && (api.selfRequired ?? api.required) !== false;
}
