type Swagger = typeof import('@nestjs/swagger');

/** The schema of a property, in the words of `ApiProperty`. */
export type FieldSchema = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** The schema of a parameter of the query, in OpenAPI's words. */
type QuerySchema = NonNullable<
  Extract<Parameters<Swagger['ApiQuery']>[0], { schema?: unknown }>['schema']
>;

/** The DTO of a body or an answer. */
export type Dto = new () => object;

/** What the API description says of an endpoint. */
export interface EndpointDocumentation {
  readonly summary: string;
  /** The parameters of the path, each with what it names. */
  readonly params?: Readonly<Record<string, string>>;
  /** The parameters of the query, none of them required, each with its schema. */
  readonly query?: Readonly<Record<string, QuerySchema>>;
  /** The DTO of the JSON body. */
  readonly body?: Dto;
  /** The status of a good answer; 200 by default. */
  readonly status?: number;
  /** The DTO of its JSON, or that of the items of a list. */
  readonly answer?: Dto | readonly [Dto];
  /** What its event stream holds, where it can answer with one. */
  readonly stream?: string;
  /** The DTO of its errors; `ErrorDto` by default. */
  readonly error?: Dto;
}

/** What the API description says of a property. */
interface FieldDocumentation {
  readonly property: string;
  readonly schema: FieldSchema;
}

const ENDPOINT = Symbol('nestjs-agent:documented-endpoint');
const FIELDS = Symbol('nestjs-agent:documented-fields');
const NAME = Symbol('nestjs-agent:documented-name');

/*
 * The decorators only note what there is to say. `describeForSwagger` says it, where the application
 * has @nestjs/swagger: importing the library does not load it.
 */

/** Describes an endpoint; below the decorator of its route. */
export function Documented(documentation: EndpointDocumentation): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    Reflect.defineMetadata(ENDPOINT, documentation, descriptor.value as object);
  };
}

/** Leaves pages and their scripts out of the API description: they are for browsers. */
export function Undocumented(): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    Reflect.defineMetadata(ENDPOINT, 'none', descriptor.value as object);
  };
}

/** Names a DTO in the API description, where the application's own may have the same class name. */
export function DocumentedAs(name: string): ClassDecorator {
  return (dto) => Reflect.defineMetadata(NAME, name, dto);
}

/** Describes a DTO's property. */
export function DocumentedField(description: string, schema: FieldSchema = {}): PropertyDecorator {
  return (prototype, property) => {
    const field = { property, schema: { ...schema, description } };
    Reflect.defineMetadata(FIELDS, [...fieldsOf(prototype), field], prototype);
  };
}

export function endpointDocumentationOf(
  method: object,
): EndpointDocumentation | 'none' | undefined {
  return Reflect.getMetadata(ENDPOINT, method) as EndpointDocumentation | 'none' | undefined;
}

export function fieldsOf(prototype: object): readonly FieldDocumentation[] {
  return (Reflect.getOwnMetadata(FIELDS, prototype) ?? []) as readonly FieldDocumentation[];
}

export function documentedName(dto: object): string | undefined {
  return Reflect.getOwnMetadata(NAME, dto) as string | undefined;
}
