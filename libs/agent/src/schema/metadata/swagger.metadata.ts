import { chainOf } from '../../internal';
import type { AnyClass, AnyMethod } from './class-type';
import 'reflect-metadata';
import type { JsonSchema } from '../../tool';

/** The metadata of `@ApiProperty`, unchecked. */
export interface ApiProperty {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly required?: boolean | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: unknown;
}

/** The metadata of `@ApiParam`, `@ApiQuery`, `@ApiHeader` or `@ApiBody`. */
export interface ApiParameter extends ApiProperty {
  readonly in?: string;
  readonly name?: unknown;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
}

/** The metadata of `@ApiResponse` for one status. */
export interface ApiResponse extends ApiProperty {
  readonly schema?: unknown;
}

export interface ApiOperation {
  readonly summary?: string;
  readonly description?: string;
}

// The keys of `@nestjs/swagger`, read without requiring it: it is the application's choice.
const PROPERTIES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
const EXTRA_MODELS = 'swagger/apiExtraModels';
const OPERATION = 'swagger/apiOperation';
const RESPONSE = 'swagger/apiResponse';
const PARAMETERS = 'swagger/apiParameters';
const HEADERS = 'swagger/apiHeaders';
const CONSUMES = 'swagger/apiConsumes';
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

const NO_PROPERTIES: ReadonlyMap<string, ApiProperty> = new Map();

/** A class's properties as `@nestjs/swagger` or its compiler plugin describes them. */
export function apiPropertiesOf(type: AnyClass): ReadonlyMap<string, ApiProperty> {
  const prototype = type.prototype as object | undefined;
  const names =
    prototype && (Reflect.getMetadata(PROPERTIES, prototype) as readonly string[] | undefined);
  if (names === undefined && !(PLUGIN_FACTORY in type)) return NO_PROPERTIES;
  const properties = pluginProperties(type);
  if (prototype === undefined) return properties;
  const models = apiModelsOf(type);
  for (const name of names ?? []) {
    const property = name.startsWith(':') ? name.slice(1) : name;
    const own = Reflect.getMetadata(PROPERTY, prototype, property) as ApiProperty | undefined;
    if (own === undefined) continue;
    const declared = models.length === 0 ? own : (resolved(own, models) as ApiProperty);
    const { required = true, description, ...made } = properties.get(property) ?? {};
    const isText = !own.isArray && ['string', String].includes(own.type as string);
    const isOfList = isText && Reflect.getMetadata('design:type', prototype, property) === Array;
    // The plugin's bounds and values, which a document copies, are of a list's members, not of its text.
    const kept = Object.entries({ ...made, ...declared }).filter(
      ([key, value]) => !isOfList || made[key] !== value,
    );
    properties.set(property, { required, description, ...Object.fromEntries(kept) });
  }
  return properties;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Keywords with values of the application's, which may contain themselves or have getters that fail. */
const VALUES: ReadonlySet<string> = new Set(['default', 'example', 'examples']);

/**
 * The metadata with classes in place of the paths of `getSchemaPath`.
 *
 * @param isNamed whether its keys are names of properties
 */
function resolved(metadata: unknown, models: readonly AnyClass[], isNamed = false): unknown {
  if (Array.isArray(metadata)) return metadata.map((item) => resolved(item, models));
  if (!isPlain(metadata)) return metadata;
  const { $ref, ...rest } = metadata as { readonly $ref?: unknown };
  const inside = Object.entries(rest).map(([key, value]): readonly [string, unknown] => {
    if (isNamed) return [key, resolved(value, models)];
    return [key, VALUES.has(key) ? value : resolved(value, models, key === 'properties')];
  });
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
  const model = models.find((one) => one.name === name);
  return { ...Object.fromEntries(inside), ...(model && { type: model }) };
}

function pluginProperties(type: AnyClass): Map<string, ApiProperty> {
  const properties = new Map<string, ApiProperty>();
  for (const one of [...chainOf(type)].reverse()) {
    const factory = Object.getOwnPropertyDescriptor(one, PLUGIN_FACTORY)?.value as unknown;
    if (typeof factory !== 'function') continue;
    const made = (factory as () => Record<string, ApiProperty>).call(one);
    for (const [name, property] of Object.entries(made)) properties.set(name, property);
  }
  return properties;
}

export function apiOperationOf(method: AnyMethod): ApiOperation | undefined {
  return Reflect.getMetadata(OPERATION, method) as ApiOperation | undefined;
}

/** `@ApiParam`, `@ApiQuery`, `@ApiHeader` and `@ApiBody` of a method, in the order they ran. */
export function apiParametersOf(method: object): readonly ApiParameter[] {
  return (Reflect.getMetadata(PARAMETERS, method) ?? []) as readonly ApiParameter[];
}

/** `@ApiHeader` of a controller, which holds for all its methods. */
export function apiHeadersOf(controller: object): readonly ApiParameter[] {
  return (Reflect.getMetadata(HEADERS, controller) ?? []) as readonly ApiParameter[];
}

/** The media types of `@ApiConsumes`, at a method or at a controller. */
export function apiConsumesOf(target: object): readonly string[] | undefined {
  return Reflect.getMetadata(CONSUMES, target) as readonly string[] | undefined;
}

/**
 * The first successful response with a type or a schema. Its references become the classes that
 * `@ApiExtraModels` of the method or its class names.
 */
export function apiSuccessOf(method: AnyMethod, target: AnyClass): ApiResponse | undefined {
  const responses = Reflect.getMetadata(RESPONSE, method) as
    | Readonly<Record<string, ApiResponse>>
    | undefined;
  if (responses === undefined) return undefined;
  const statuses = Object.keys(responses).filter((status) => /^2|^default$/.test(status));
  const success = statuses
    .sort()
    .map((status) => responses[status])
    .find((response) => response?.type !== undefined || response?.schema !== undefined);
  if (success?.schema === undefined) return success;
  return { ...success, schema: resolved(success.schema, apiModelsOf(method, target)) };
}

/** The classes that `@ApiExtraModels` of methods and classes names. */
export function apiModelsOf(...holders: readonly object[]): readonly AnyClass[] {
  return holders.flatMap(
    (holder) => (Reflect.getMetadata(EXTRA_MODELS, holder) ?? []) as readonly AnyClass[],
  );
}
