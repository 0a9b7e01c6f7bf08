import {
  enumSchema,
  enumValues,
  fittingDefault,
  isSchemaSource,
  type ParameterSchema,
  type PipeSchema,
  pipeSchemaOf,
  type SchemaOptions,
  schemaOf,
  type SchemaSource,
  sourceOfTemplate,
  withNote,
} from '../schema';
import { type JsonSchema, ToolDeclarationError } from '../tool';
import type { JsonValue } from '../message';
import type { ToolParamMetadata, ToolParamOptions } from './metadata';

interface ParameterFacts {
  readonly name: string;
  readonly index: number;
  /** The type that TypeScript emitted. */
  readonly type: unknown;
  readonly metadata: ToolParamMetadata;
}

/**
 * The schema of one parameter: its own `schema`, `enum` or `type`, else its pipes', else the type
 * that the compiler plugin saw, else the one that TypeScript emitted.
 *
 * @throws ToolDeclarationError if none of them defines the model's argument
 */
export function parameterSchemaOf(
  { name, index, type, metadata }: ParameterFacts,
  options: SchemaOptions = {},
): ParameterSchema {
  const { described } = metadata;
  const { required, default: ownDefault, description, example } = metadata.options;
  // Pipes receive the model's raw value, including text that they convert.
  const piped = pipeSchemaOf(metadata.pipes, { isTextTaken: true });
  const source = sourceOf(metadata, type);
  const shape = shapeOf(metadata, type, piped, source, options);
  if (shape === undefined)
    throw new ToolDeclarationError(
      `the type of parameter "${name}" is not known at run time. Say it: @ToolParam('${name}', { type: … }), { schema: … } or { enum: … }.`,
    );
  const initial = described?.default;
  const fallback = ownDefault ?? piped.default ?? fittingDefault(initial, shape);
  const isOptional =
    (fallback ?? initial) !== undefined || (piped.isRequired ?? !described?.optional) === false;
  return {
    name,
    index,
    schema: annotated(
      shape,
      {
        ...metadata.options,
        description: description ?? described?.description,
        example: example ?? described?.example,
      },
      fallback,
    ),
    required: required ?? !isOptional,
    ...(source !== undefined && { type: source }),
  };
}

function shapeOf(
  metadata: ToolParamMetadata,
  type: unknown,
  piped: PipeSchema,
  source: SchemaSource | undefined,
  options: SchemaOptions,
): JsonSchema | undefined {
  if (metadata.options.enum !== undefined) return enumerated(metadata.options.enum, type);
  if (piped.schema && explicit(metadata) === undefined) return piped.schema;
  return source === undefined ? undefined : schemaOf(source, options);
}

/** The schema with the author's annotations; most parameters have none. */
function annotated(
  shape: JsonSchema,
  { description, example, sensitive }: ToolParamOptions,
  fallback: unknown,
): JsonSchema {
  const isDefaulted = fallback !== undefined && isJson(fallback);
  const isSaid = isDefaulted || sensitive === true || example !== undefined;
  if (!isSaid && description === undefined) return shape;
  const { description: note, ...keywords } = shape;
  return withNote(
    {
      ...keywords,
      ...(isDefaulted && { default: fallback }),
      ...(example !== undefined && { examples: [example] }),
      ...(sensitive === true && { writeOnly: true }),
      ...(description !== undefined && { description }),
    },
    note,
  );
}

function explicit({ options }: ToolParamMetadata): unknown {
  return options.schema ?? options.type;
}

/**
 * The source and target type of the value; `undefined` if only a pipe, or nothing, defines them.
 */
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
  if (metadata.described?.type !== undefined) return sourceOfTemplate(metadata.described.type);
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
