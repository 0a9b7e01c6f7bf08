import { Endpoint, type EndpointDecorator, type EndpointOptions } from '../endpoint';

export type Swagger = typeof import('@nestjs/swagger');

/** The schema of a property, as `ApiProperty` takes it. */
export type FieldSchema = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** The schema of a query parameter, in OpenAPI's terms. */
type QuerySchema = NonNullable<
  Extract<Parameters<Swagger['ApiQuery']>[0], { schema?: unknown }>['schema']
>;

/** The DTO of a body or an answer. */
export type Dto = new () => object;

/** The API description of an endpoint. */
export interface EndpointDocumentation {
  readonly summary: string;
  /** The path parameters, each with its description. */
  readonly params?: Readonly<Record<string, string>>;
  /** The query parameters, all optional, each with its schema. */
  readonly query?: Readonly<Record<string, QuerySchema>>;
  /** The DTO of the JSON body. */
  readonly body?: Dto;
  /** The status of a successful answer; 200 by default. */
  readonly status?: number;
  /** The DTO of its JSON answer, or of a list's items. */
  readonly answer?: Dto | readonly [Dto];
  /** The content of its event stream, if it has one. */
  readonly stream?: string;
  /** When 204 is answered in place of this; never by default. */
  readonly emptyIf?: string;
  /** The DTO of its errors; `ErrorDto` by default. */
  readonly error?: Dto;
}

/** The API description of a property. */
interface FieldDocumentation {
  readonly property: string;
  readonly schema: FieldSchema;
}

const ENDPOINT = Symbol('nestjs-agent:documented-endpoint');
const FIELDS = Symbol('nestjs-agent:documented-fields');
const NAME = Symbol('nestjs-agent:documented-name');

/*
 * The decorators only store the description. `describeForSwagger` applies it if the application has
 * @nestjs/swagger: importing the library does not load it.
 */

/** As `Endpoint`, with its API description. */
export function DocumentedEndpoint(
  documentation: EndpointDocumentation,
  options?: EndpointOptions,
): EndpointDecorator {
  const serve = Endpoint(options);
  return (prototype, name, descriptor) => {
    serve(prototype, name, descriptor);
    Reflect.defineMetadata(ENDPOINT, documentation, descriptor.value as object);
  };
}

/** Names a DTO in the API description; the application may have a class of the same name. */
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

export function endpointDocumentationOf(method: object): EndpointDocumentation | undefined {
  return Reflect.getMetadata(ENDPOINT, method) as EndpointDocumentation | undefined;
}

export function fieldsOf(prototype: object): readonly FieldDocumentation[] {
  return (Reflect.getOwnMetadata(FIELDS, prototype) ?? []) as readonly FieldDocumentation[];
}

export function documentedName(dto: object): string | undefined {
  return Reflect.getOwnMetadata(NAME, dto) as string | undefined;
}

/** What is described of a field: in words, and its schema; a text by default. */
type DescribedField = readonly [description: string, schema?: FieldSchema];

/**
 * A DTO that is only described: of an answer, or of a body that is read field by field.
 *
 * @typeParam T its form, if the code has a type for it: every required field is then described
 */
export function documentedDto<T extends object>(
  name: string,
  fields: { readonly [Key in keyof T]: DescribedField },
): Dto {
  class Described {}
  DocumentedAs(name)(Described);
  for (const [property, [description, schema = { type: String }]] of Object.entries<DescribedField>(
    fields,
  )) {
    DocumentedField(description, schema)(Described.prototype, property);
    // Swagger refuses a property without a type, even beside `oneOf`.
    Reflect.defineMetadata('design:type', Object, Described.prototype, property);
  }
  return Described;
}
