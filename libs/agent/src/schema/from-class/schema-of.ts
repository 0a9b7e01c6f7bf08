import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { ClassSchemaBuilder } from './class-schema.builder';
import { closeObjects, type Direction, formProblems, mapSchemas } from '../json-schema';
import type { ApiProperty } from '../metadata';
import { DescribedType } from './described-type';
import {
  isSchemaType,
  type SchemaOptions,
  type SchemaSource,
  type SchemaType,
} from './schema-source';
import { jsonSchemaOf, standardSchemaOf } from './standard-schema';
import { builtinSchema } from './type-schema';

/**
 * The JSON Schema 2020-12 of a source's input: the value that a model sends.
 *
 * @param source a DTO class, `String` and its like, a JSON Schema or a Standard Schema (zod, …);
 *   an array of one of them is a list
 * @throws ToolDeclarationError where JSON cannot say it
 * @example
 * schemaOf(CreateOrderDto) // { type: 'object', title: 'CreateOrderDto', properties: { … } }
 */
export function schemaOf(source: SchemaSource, options: SchemaOptions = {}): JsonSchema {
  return build(source, 'input', options);
}

/** The JSON Schema of a source's output as JSON. Unknown keys are accepted. */
export function outputSchemaOf(source: SchemaSource): JsonSchema {
  return build(source, 'output', {});
}

/**
 * The input of a class of which a pipe checks only the rules of some groups. Fields whose rules are all in other
 * groups, or in none, pass such a pipe unchecked, so a class that has any is described by all its rules.
 */
export function schemaInGroups(type: SchemaType, options: SchemaOptions = {}): JsonSchema {
  const { groups = [], ...others } = options;
  const whole = schemaOf(type, others);
  if (groups.length === 0) return whole;
  const checked = schemaOf(type, options);
  const known = fieldsOf(checked);
  return [...fieldsOf(whole)].every((field) => known.has(field)) ? checked : whole;
}

/** The fields of all classes in a schema. */
function fieldsOf(schema: JsonSchema): ReadonlySet<string> {
  const fields = new Set<string>();
  const collect = (part: JsonSchema): JsonSchema => {
    for (const name of Object.keys(part.properties ?? {})) fields.add(`${part.title}.${name}`);
    return mapSchemas(part, collect);
  };
  collect(schema);
  return fields;
}

/** The JSON Schema of a parameter's input by its OpenAPI metadata. */
export function apiSchemaOf(api: ApiProperty): JsonSchema {
  return new ClassSchemaBuilder('input').buildDescribed(api);
}

function build(source: SchemaSource, direction: Direction, options: SchemaOptions): JsonSchema {
  if (source instanceof DescribedType)
    return new ClassSchemaBuilder(direction, options).buildTemplate(source.template);
  const standard = standardSchemaOf(source);
  if (standard) return jsonSchemaOf(standard, direction, isEncoded(source) ? 'input' : direction);
  if (isSchemaType(source))
    return (
      builtinSchema(source, direction, source.name) ??
      new ClassSchemaBuilder(direction, options).build(source)
    );
  if (Array.isArray(source)) {
    const { $defs, ...items } = build(
      (source as readonly SchemaSource[])[0] ?? {},
      direction,
      options,
    );
    return { type: 'array', items, ...($defs && { $defs }) };
  }
  if (typeof source !== 'object' || source === null)
    throw new ToolDeclarationError(
      'A schema comes from a DTO class, a JSON Schema or a Standard Schema.',
    );
  const problems = formProblems(source, 'schema');
  if (problems.length > 0)
    throw new ToolDeclarationError(`Not a JSON Schema: ${problems.join('; ')}.`);
  return direction === 'input' ? closeObjects(source as JsonSchema) : (source as JsonSchema);
}

/** Whether a DTO of `nestjs-zod` is sent in its input form: `createZodDto(schema, { codec: true })`. */
function isEncoded(source: SchemaSource): boolean {
  return (source as { readonly codec?: unknown }).codec === true;
}
