import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';
import { withFallback } from '../../internal';
import {
  documentedName,
  type Dto,
  type EndpointDocumentation,
  endpointDocumentationOf,
  ErrorDto,
  fieldsOf,
  type Swagger,
} from '../answers';
import { servedBy } from '../endpoint';

const DESCRIBED = Symbol('nestjs-agent:described');

/**
 * Describes a controller's endpoints to `@nestjs/swagger`. Endpoints without a description are
 * excluded: those of pages and of the workbench are only for browsers.
 */
export function describeForSwagger(swagger: Swagger, controller: Type<unknown>): void {
  const prototype = controller.prototype as object;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const handler = Object(descriptor.value) as object;
    if (servedBy(handler) === undefined || !isFirstTime(handler)) continue;
    const documentation = endpointDocumentationOf(handler);
    const decorators = documentation
      ? endpointDecorators(swagger, documentation)
      : [swagger.ApiExcludeEndpoint()];
    for (const decorate of decorators) decorate(prototype, name, descriptor);
  }
}

function endpointDecorators(
  swagger: Swagger,
  {
    summary,
    params = {},
    query = {},
    body,
    status = 200,
    answer,
    stream,
    emptyIf,
    error = ErrorDto,
  }: EndpointDocumentation,
): MethodDecorator[] {
  const { ApiOperation, ApiParam, ApiQuery, ApiBody, ApiResponse, ApiExtraModels } = swagger;
  const item = typeof answer === 'function' ? answer : answer?.[0];
  const dtos = [item, body, error].filter((dto) => dto !== undefined);
  for (const dto of dtos) describeDto(swagger, dto);
  const json = answer && schemaOf(swagger, answer);
  return [
    ApiOperation({ summary }),
    ApiExtraModels(...dtos),
    ...Object.entries(params).map(([name, description]) =>
      ApiParam({ name, description, schema: { type: 'string' } }),
    ),
    ...Object.entries(query).map(([name, schema]) => ApiQuery({ name, required: false, schema })),
    ...(body ? [ApiBody({ type: body })] : []),
    ApiResponse({
      status,
      description: summary,
      ...((json ?? stream) !== undefined && {
        content: {
          ...(json && { 'application/json': { schema: json } }),
          ...(stream !== undefined && {
            'text/event-stream': { schema: { type: 'string', description: stream } },
          }),
        },
      }),
    }),
    ...(emptyIf === undefined ? [] : [ApiResponse({ status: 204, description: emptyIf })]),
    ApiResponse({
      status: 'default',
      description: 'An error',
      content: { 'application/json': { schema: schemaOf(swagger, error) } },
    }),
  ];
}

function schemaOf({ getSchemaPath }: Swagger, answer: Dto | readonly [Dto]) {
  if (typeof answer === 'function') return { $ref: getSchemaPath(answer) };
  return { type: 'array', items: { $ref: getSchemaPath(answer[0]) } };
}

/** A DTO, and the DTOs of its properties. */
function describeDto(swagger: Swagger, dto: Dto): void {
  if (!isFirstTime(dto)) return;
  const name = documentedName(dto);
  if (name !== undefined) swagger.ApiSchema({ name })(dto);
  const prototype = dto.prototype as object;
  for (const { property, schema } of fieldsOf(prototype)) {
    swagger.ApiProperty(schema)(prototype, property);
    const [type] = [(schema as { type?: unknown }).type].flat();
    if (isDocumented(type)) describeDto(swagger, type);
  }
}

function isDocumented(type: unknown): type is Dto {
  return typeof type === 'function' && fieldsOf(Object(type.prototype) as object).length > 0;
}

/** Classes shared by several agents are described once. */
function isFirstTime(target: object): boolean {
  if (Reflect.hasOwnMetadata(DESCRIBED, target)) return false;
  Reflect.defineMetadata(DESCRIBED, true, target);
  return true;
}

/** `@nestjs/swagger`, if the application has it. A failed search takes long, so search once. */
export function loadSwagger(): Swagger | undefined {
  const load = createRequire(__filename);
  return withFallback(() => load('@nestjs/swagger') as Swagger, undefined);
}
