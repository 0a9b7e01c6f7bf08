import type { Type } from '@nestjs/common';
import { isSchemaType, schemaOf } from '../../schema';
import type { JsonSchema } from '../../tool';
import type { ParameterPlace } from './route-parameter';

/** What `@nestjs/swagger` was told about one parameter. */
export interface ParameterDocumentation {
  readonly place: ParameterPlace;
  /** Missing of bodies. */
  readonly name?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
}

interface SwaggerParameter {
  readonly in?: string;
  readonly name?: unknown;
  readonly required?: boolean;
  readonly description?: string;
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly schema?: JsonSchema;
  readonly enum?: unknown;
  readonly example?: unknown;
}

// The names under which @nestjs/swagger keeps its metadata; it is optional, so not imported.
const API_PARAMETERS = 'swagger/apiParameters';
const API_HEADERS = 'swagger/apiHeaders';
const API_CONSUMES = 'swagger/apiConsumes';

const PLACES: Readonly<Record<string, ParameterPlace>> = {
  path: 'path',
  query: 'query',
  header: 'header',
  body: 'body',
};

/** What `@ApiParam`, `@ApiQuery`, `@ApiHeader` and `@ApiBody` say of a method's parameters. */
export function documentedParametersOf(
  host: Type<unknown>,
  methodName: string,
): readonly ParameterDocumentation[] {
  const handler = (host.prototype as Record<string, object>)[methodName] ?? {};
  return [...listOf(API_HEADERS, host), ...listOf(API_PARAMETERS, handler)].flatMap((parameter) => {
    const place = PLACES[parameter.in ?? 'header'];
    if (!place) return [];
    const schema = schemaFrom(parameter);
    const { name, required, description } = parameter;
    return [
      {
        place,
        ...(typeof name === 'string' && name !== '' && { name }),
        ...(required !== undefined && { required }),
        ...(description !== undefined && { description }),
        ...(schema && { schema }),
      },
    ];
  });
}

/** Whether a method is documented to take nothing but a multipart form. */
export function consumesOnlyForms(host: Type<unknown>, methodName: string): boolean {
  const handler = (host.prototype as Record<string, object>)[methodName] ?? {};
  const consumed = (Reflect.getMetadata(API_CONSUMES, handler) ??
    Reflect.getMetadata(API_CONSUMES, host) ??
    []) as readonly string[];
  return consumed.length > 0 && consumed.every((type) => type.startsWith('multipart/'));
}

function listOf(key: string, target: object): readonly SwaggerParameter[] {
  return (Reflect.getMetadata(key, target) ?? []) as readonly SwaggerParameter[];
}

function schemaFrom(parameter: SwaggerParameter): JsonSchema | undefined {
  const { schema, type, isArray, example } = parameter;
  const examples = example === undefined ? {} : { examples: [example] };
  if (schema && !('$ref' in schema)) {
    const { example: inner, ...rest } = schema;
    return { ...rest, ...(inner === undefined ? examples : { examples: [inner] }) };
  }
  const known = typeof type === 'string' ? { type } : classSchema(type);
  if (!known) return example === undefined ? undefined : examples;
  if (!isArray) return { ...known, ...examples };
  const { $defs, ...items } = known;
  return { type: 'array', items, ...($defs && { $defs }), ...examples };
}

function classSchema(type: unknown): JsonSchema | undefined {
  if (Array.isArray(type)) {
    const items = classSchema(type[0]);
    return items && { type: 'array', items };
  }
  return isSchemaType(type) && type !== Object ? schemaOf(type) : undefined;
}
