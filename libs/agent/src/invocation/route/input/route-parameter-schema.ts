import type { ToolParamOptions } from '../../../decorators';
import type { JsonValue } from '../../../message';
import {
  enumValues,
  fittingDefault,
  hasKeywords,
  isSchemaSource,
  isSchemaType,
  isStandardSchema,
  offersJsonSchema,
  type PipeSchema,
  type PluginParameter,
  pipeSchemaOf,
  schemaInGroups,
  type SchemaOptions,
  schemaOf,
  sourceOfTemplate,
  takesMissing,
  typesOf,
  withRootDefined,
} from '../../../schema';
import type { JsonSchema } from '../../../tool';
import type { ParameterDocumentation } from './route-documentation';
import type { RouteParameter } from './route-parameter';
import { propertyOf } from './route-part';

export interface DescribedParameter {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The separator of a list that is sent as one text. */
  readonly separator?: string;
  /** Whether it is one text in a query, too, where the name is repeated otherwise. */
  readonly isJoined?: boolean;
}

/**
 * The schema of one parameter, by precedence: `@ToolParam`, a Standard Schema in Nest's decorator,
 * pipes, swagger's decorators, the compiler plugin's description, TypeScript's recorded type.
 */
export function describeParameter(
  parameter: RouteParameter,
  sources: DescriptionSources,
): DescribedParameter {
  const { hasNestedQuery, hints = {}, documentation, described, outerPipes: outer = [] } = sources;
  const pipes = pipeSchemaOf(parameter.pipes, { isTextTaken: false, outer });
  const declared = hintedSchema(hints) ?? decoratorSchema(parameter);
  const checked = checkedSchema(pipes);
  const schema =
    declared ??
    merged(
      describedOrChecked(checked, describedSchema(parameter, described)) ??
        knownSchema(parameter, checked, documentation?.schema, pipes.checks) ??
        unknownSchema(parameter, hasNestedQuery, documentation?.schema),
      piped(documentation?.schema ?? {}, pipedSchema(pipes)),
    );
  const example = hints.example ?? described?.example;
  const byDefault =
    hints.default ??
    schema.default ??
    (pipes.isRequired ? undefined : fittingDefault(ownDefault(parameter, described), schema));
  const description = hints.description ?? documentation?.description ?? described?.description;
  return {
    schema: {
      ...schema,
      ...(description !== undefined && { description }),
      ...(byDefault !== undefined && { default: byDefault as JsonSchema['default'] }),
      ...(example !== undefined && { examples: [example] }),
      ...(hints.sensitive === true && { writeOnly: true }),
    },
    required: hints.required ?? pipes.isRequired ?? isRequired(parameter, schema, sources),
    ...joinedPart(documentation),
    // The pipe splits the text, whatever the documentation says.
    ...(pipes.separator !== undefined && { separator: pipes.separator }),
  };
}

/** How a list in a query is one text by its documentation. */
export function joinedPart(
  documentation: ParameterDocumentation | undefined,
): Pick<DescribedParameter, 'separator' | 'isJoined'> {
  const separator = documentation?.joinedBy;
  return separator === undefined ? {} : { separator, isJoined: true };
}

/** The schema that Nest's decorator has; one without JSON Schema is known to Nest alone. */
function decoratorSchema({ schema }: RouteParameter): JsonSchema | undefined {
  return isSchemaSource(schema) && !lacksJsonSchema(schema) ? schemaOf(schema) : undefined;
}

function lacksJsonSchema(schema: unknown): boolean {
  return isStandardSchema(schema) && !offersJsonSchema(schema);
}

/** Whether a parameter is required if neither `@ToolParam` nor a pipe decides. */
function isRequired(
  parameter: RouteParameter,
  schema: JsonSchema,
  { fallsBack, documentation, described }: DescriptionSources,
): boolean {
  if (isStandardSchema(parameter.schema) && takesMissing(parameter.schema)) return false;
  if (documentation?.required !== undefined) return documentation.required;
  if (lacksJsonSchema(parameter.schema)) return false;
  if (isCheckedWhole(parameter, schema)) return true;
  return described && !mayBeEmpty(parameter, schema) ? described.optional !== true : fallsBack;
}

/** Whether Nest's `ValidationPipe` misses fields of a missing body: it checks an empty object of the class. */
function isCheckedWhole({ place, key, type }: RouteParameter, { required }: JsonSchema): boolean {
  return (
    place === 'body' &&
    key === undefined &&
    isSchemaType(type) &&
    type !== Object &&
    required !== undefined
  );
}

/** Whether a whole query fits without any field: it is never missing in a request. */
function mayBeEmpty({ place, key }: RouteParameter, schema: JsonSchema): boolean {
  if (place !== 'query' || key !== undefined) return false;
  const { type, required = [] } = withRootDefined(schema, place);
  return type === 'object' && required.length === 0;
}

interface DescriptionSources {
  /** The default of `required`. */
  readonly fallsBack: boolean;
  /** Whether a query can carry objects. */
  readonly hasNestedQuery: boolean;
  /** The pipes of the method, its class and the application. */
  readonly outerPipes?: readonly unknown[];
  readonly hints?: ToolParamOptions;
  /** The compiler plugin's description. */
  readonly described?: PluginParameter;
  readonly documentation?: ParameterDocumentation;
}

function hintedSchema({ schema, type, enum: values }: ToolParamOptions): JsonSchema | undefined {
  if (values !== undefined) return { enum: enumValues(values) };
  const source = schema ?? type;
  return isSchemaSource(source) ? schemaOf(source) : undefined;
}

/**
 * The default that the method itself has. It is sent like any value, and only a body's values and
 * texts arrive as they were sent.
 */
function ownDefault(
  { place }: RouteParameter,
  described: PluginParameter | undefined,
): JsonValue | undefined {
  const value = described?.default;
  return place === 'body' || typeof value === 'string' ? value : undefined;
}

/** The type of a default value, if no type is declared. */
function pipedSchema({ schema, default: fallback }: PipeSchema): JsonSchema | undefined {
  if (fallback === undefined) return schema;
  return { ...(schema ?? typeOf(fallback)), default: fallback };
}

function typeOf(value: JsonValue): JsonSchema {
  if (value === null) return {};
  return { type: Array.isArray(value) ? 'array' : typeof value };
}

/** Keywords that hold for a value of any type. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'default',
  'examples',
  'deprecated',
  'writeOnly',
]);

const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf']);

/** Whether documentation declares a type, or several schemas. */
function isTold(documented: JsonSchema): boolean {
  const parts = [...UNIONS].flatMap((word) => (documented[word] ?? []) as readonly JsonSchema[]);
  return documented.type !== undefined || parts.some(hasKeywords);
}

/** Documentation combined with the pipes' schema, which wins where both declare a type. */
function piped(documented: JsonSchema, taken: JsonSchema | undefined): JsonSchema {
  if (taken?.type === undefined) return { ...documented, ...taken };
  const plain: JsonSchema = Object.fromEntries(
    Object.entries(documented).filter(([keyword]) => !UNIONS.has(keyword)),
  );
  const types = typesOf(taken.type).flatMap((type) =>
    type === 'integer' ? [type, 'number'] : [type],
  );
  if (plain.type === undefined || typesOf(plain.type).some((type) => types.includes(type))) {
    return { ...plain, ...taken };
  }
  const annotations = Object.entries(plain).filter(([keyword]) => ANNOTATIONS.has(keyword));
  return { ...Object.fromEntries(annotations), ...taken };
}

/** A class is described by its own schema. */
function merged(base: JsonSchema, more: JsonSchema): JsonSchema {
  if (base.type === 'object' && (more.type === undefined || more.type === 'object')) return base;
  const isOther = isTold(more) && more.type !== base.type;
  return isOther || more.enum ? more : { ...base, ...more };
}

/** The compiler plugin's schema where the recorded type is too vague: interfaces, lists, unions of texts. */
function describedSchema(
  { place, key, type }: RouteParameter,
  described: PluginParameter | undefined,
): JsonSchema | undefined {
  if (described?.type === undefined) return undefined;
  if (isSchemaType(type) && type !== Object && type !== Array && type !== String) return undefined;
  const schema = schemaOf(sourceOfTemplate(described.type));
  // One value of path, query or headers is text; a query may repeat it, and carries no null.
  const either =
    place === 'query' ? (schema.anyOf as readonly JsonSchema[] | undefined) : undefined;
  const forms = (either ?? [schema]).map(({ type: form }) => (form ? typesOf(form) : ['unknown']));
  const isText = forms
    .flat()
    .every(
      (form) => form === 'string' || form === 'array' || (place === 'query' && form === 'null'),
    );
  return place === 'body' || key === undefined || isText ? schema : undefined;
}

/**
 * The compiler plugin's schema, or only its words if a pipe takes an object or one of several types:
 * the method's type is of the pipe's result, which may have other fields.
 */
function describedOrChecked(
  checked: JsonSchema | undefined,
  described: JsonSchema | undefined,
): JsonSchema | undefined {
  if (checked === undefined || described === undefined) return described;
  if (checked.type !== undefined && !typesOf(checked.type).includes('object')) return described;
  const { properties } = checked;
  if (properties === undefined) return checked;
  const worded = Object.entries(properties).map(([name, property]) => {
    const description = propertyOf(described, name)?.description;
    return [name, description === undefined ? property : { description, ...property }];
  });
  return { ...checked, properties: Object.fromEntries(worded) as JsonSchema['properties'] };
}

/** The schema of TypeScript's recorded type, if useful. */
function typeSchema(
  { place, type }: RouteParameter,
  checks?: SchemaOptions,
): JsonSchema | undefined {
  if (type === Array) {
    return { type: 'array', ...(place !== 'body' && { items: { type: 'string' } }) };
  }
  return isSchemaType(type) && type !== Object ? schemaInGroups(type, checks) : undefined;
}

/** The schema of the pipes, unless it is empty. */
function checkedSchema({ schema }: PipeSchema): JsonSchema | undefined {
  return schema && hasKeywords(schema) ? schema : undefined;
}

/**
 * The schema of the recorded type, or of the pipes, else of the documentation, where the type names no
 * fields: a class without decorators takes any.
 */
function knownSchema(
  parameter: RouteParameter,
  checked: JsonSchema | undefined,
  documented: JsonSchema | undefined,
  checks: SchemaOptions | undefined,
): JsonSchema | undefined {
  const typed = typeSchema(parameter, checks);
  const { place, key } = parameter;
  // A class in the path is the result of a pipe, such as the entity of an id.
  if (place === 'path' && key !== undefined && typed?.type === 'object') return checked;
  if (typed !== undefined && typed.additionalProperties !== true) return typed;
  return checked ?? (documented && isTold(documented) ? undefined : typed);
}

/** Of a list in a query of texts and objects. */
const MEMBER: JsonSchema = { type: ['string', 'object'], additionalProperties: true };

/**
 * The fallback: swagger's description, else text for a URL and any value for a body. Where TypeScript
 * recorded `Object`, as for `string | string[]`, a query may carry any of its forms.
 */
function unknownSchema(
  { place, key, type }: RouteParameter,
  hasNestedQuery: boolean,
  documented?: JsonSchema,
): JsonSchema {
  if (documented && isTold(documented)) return documented;
  if (key === undefined) return { type: 'object', additionalProperties: true };
  if (place === 'body') return {};
  if (place !== 'query' || type !== Object) return { type: 'string' };
  return hasNestedQuery
    ? { type: ['string', 'array', 'object'], items: MEMBER, additionalProperties: true }
    : { type: ['string', 'array'], items: { type: 'string' } };
}
