import type { JsonSchema } from '../../../tool';
import { apiSchema } from './api-schema';
import { type AnyClass, isClass, namedType } from '../../metadata';
import { propertiesOf, type PropertyFacts } from '../class-properties';
import { hasKeywords, typesOf, withNote } from '../../json-schema';
import { demandsArray } from '../../rules';
import { builtinSchema } from '../type-schema';
import type { TypeSchemas } from './type-schemas.interface';

/**
 * The schema before a `@Transform`, from `@ApiProperty`: `{ type: String }` beside
 * `@Transform(({ value }) => JSON.parse(value))`.
 */
export function wireSchema(
  facts: PropertyFacts,
  made: JsonSchema,
  types: TypeSchemas,
): JsonSchema | undefined {
  const { api, transform } = facts;
  const wire = api && apiSchema(api, types);
  const [type = ''] = typesOf(wire?.type);
  const madeTypes = typesOf(made.type);
  if (!wire || !SCALARS.includes(type) || madeTypes.includes(type)) return undefined;
  if (madeTypes.includes('integer') && type === 'number') return undefined;
  const named = transform.type && namedType(transform.type);
  if (type !== 'string' || !isObjectClass(named)) return wire;
  return withNote(wire, `JSON text of ${textOf(named, isList(facts))}`);
}

/** The depth of classes whose properties are named. */
const NAMED_DEPTH = 2;

/** A class for the model, such as `a list of objects with id, tags (a list of objects with name)`. */
function textOf(type: AnyClass, isListed: boolean, depth = 1): string {
  const names = propertiesOf(type, 'input').map((facts) => {
    const { name, type: typed } = facts.transform;
    const inner = typed && namedType(typed);
    if (depth === NAMED_DEPTH || !isObjectClass(inner)) return name;
    return `${name} (${textOf(inner, isList(facts), depth + 1)})`;
  });
  const what = isListed ? 'a list of objects' : 'an object';
  return names.length > 0 ? `${what} with ${names.join(', ')}` : what;
}

/** The compiler emits no type for a list that may be null, so its rules decide. */
function isList({ designType, rules }: PropertyFacts): boolean {
  if (designType === Array || designType === Set) return true;
  const isOpen = designType === undefined || designType === Object;
  return rules.some(({ name, each }) => demandsArray(name) || (each && isOpen));
}

/** A class of the application; the language's own describe themselves. */
export function isObjectClass(type: unknown): type is AnyClass {
  return isClass(type) && builtinSchema(type, 'input', type.name) === undefined;
}

const SCALARS: readonly string[] = ['string', 'number', 'integer', 'boolean'];

/**
 * The schema before a `@Transform` without `@ApiProperty`: text is accepted too, since many convert
 * from text.
 */
export function convertible(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema.type);
  if (!hasKeywords(schema) || types.includes('string')) return schema;
  if (types.length > 0 && !schema.enum) return { ...schema, type: [...types, 'string'] };
  return schema.enum ? schema : { anyOf: [schema, { type: 'string' }] };
}
