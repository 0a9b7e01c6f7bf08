import type { AnyClass, AnyMethod } from '../class-type';
import 'reflect-metadata';

/** What `@ApiProperty` holds of a property; everything is as its author wrote it. */
export interface ApiProperty {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly required?: boolean | readonly string[];
  readonly nullable?: boolean;
  readonly enum?: unknown;
}

/** What `@ApiResponse` holds of one status. */
export interface ApiResponse {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly schema?: unknown;
  readonly description?: string;
}

export interface ApiOperation {
  readonly summary?: string;
  readonly description?: string;
}

// The keys of `@nestjs/swagger`, read without requiring it: it is the application's choice.
const PROPERTIES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
const OPERATION = 'swagger/apiOperation';
const RESPONSE = 'swagger/apiResponse';
const PARAMETERS = 'swagger/apiParameters';
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
  for (const name of names ?? []) {
    const property = name.startsWith(':') ? name.slice(1) : name;
    const own = Reflect.getMetadata(PROPERTY, prototype, property) as ApiProperty | undefined;
    if (own) properties.set(property, { required: true, ...properties.get(property), ...own });
  }
  return properties;
}

function pluginProperties(root: unknown): Map<string, ApiProperty> {
  const properties = new Map<string, ApiProperty>();
  const chain: unknown[] = [];
  for (let one: unknown = root; typeof one === 'function'; one = Object.getPrototypeOf(one))
    chain.unshift(one);
  for (const one of chain) {
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
export function apiParametersOf(method: AnyMethod): readonly ApiProperty[] {
  return (Reflect.getMetadata(PARAMETERS, method) as readonly ApiProperty[] | undefined) ?? [];
}

/** The first response that stands for success and says what it holds. */
export function apiSuccessOf(method: AnyMethod): ApiResponse | undefined {
  const responses = Reflect.getMetadata(RESPONSE, method) as
    Readonly<Record<string, ApiResponse>> | undefined;
  if (responses === undefined) return undefined;
  const statuses = Object.keys(responses).filter((status) => /^2|^default$/.test(status));
  return statuses
    .sort()
    .map((status) => responses[status])
    .find((response) => response?.type !== undefined || response?.schema !== undefined);
}
