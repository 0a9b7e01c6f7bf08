import {
  enumSchema,
  enumValues,
  isSchemaSource,
  type ParameterSchema,
  type SchemaOptions,
  schemaOf,
  type SchemaSource,
  withNote,
} from '../schema';
import { type JsonSchema, ToolDeclarationError } from '../tool';
import type { JsonValue } from '../message';
import type { ToolParamMetadata } from './metadata';
import { pipeSchemaOf } from './pipe-schema';

export interface ParameterFacts {
  readonly name: string;
  readonly index: number;
  /** What TypeScript emitted. */
  readonly type: unknown;
  readonly metadata: ToolParamMetadata;
}

/**
 * The schema of one decorated parameter: its own `schema`, `enum` or `type`, else its pipes', else
 * what TypeScript emitted.
 *
 * @throws ToolDeclarationError where none of them says what the model shall send
 */
export function parameterSchemaOf(
  { name, index, type, metadata }: ParameterFacts,
  options: SchemaOptions = {},
): ParameterSchema {
  const { description, required, example, default: ownDefault } = metadata.options;
  const piped = pipeSchemaOf(metadata.pipes);
  const source = sourceOf(metadata, type);
  const shape =
    metadata.options.enum !== undefined
      ? enumerated(metadata.options.enum, type)
      : ((explicit(metadata) === undefined ? piped.schema : undefined) ??
        (source === undefined ? undefined : schemaOf(source, options)));
  if (
    shape === undefined ||
    (type === Array &&
      source === undefined &&
      piped.schema === undefined &&
      metadata.options.enum === undefined)
  )
    throw new ToolDeclarationError(
      `the type of parameter "${name}" is not known at run time. Say it: @ToolParam('${name}', { type: … }), { schema: … } or { enum: … }.`,
    );
  const fallback = ownDefault ?? piped.default;
  const { description: note, ...keywords } = shape;
  const schema = withNote(
    {
      ...keywords,
      ...(fallback !== undefined && isJson(fallback) && { default: fallback }),
      ...(example !== undefined && { examples: [example] }),
      description,
    },
    note,
  );
  return {
    name,
    index,
    schema,
    required: required ?? !(fallback !== undefined || piped.isOptional),
    ...(source !== undefined && { type: source }),
  };
}

function explicit({ options }: ToolParamMetadata): unknown {
  return options.schema ?? options.type;
}

/** What the value is made of and into; `undefined` where only a pipe or nothing knows. */
function sourceOf(metadata: ToolParamMetadata, type: unknown): SchemaSource | undefined {
  const said = explicit(metadata);
  if (said !== undefined) {
    if (!isSchemaSource(said))
      throw new ToolDeclarationError(
        'type and schema want a class, a JSON Schema or a Standard Schema.',
      );
    const isList = type === Array && typeof said === 'function';
    return isList ? ([said] as unknown as SchemaSource) : said;
  }
  if (typeof type !== 'function' || type === Object || type === Array) return undefined;
  return type as SchemaSource;
}

function enumerated(source: unknown, type: unknown): JsonSchema {
  const values = enumSchema(enumValues(source));
  return type === Array ? { type: 'array', items: values } : values;
}

function isJson(value: unknown): value is JsonValue {
  return value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
}
