import { createRequire } from 'node:module';
import { applyDecorators } from '@nestjs/common';

type Swagger = typeof import('@nestjs/swagger');
type ApiSchema = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** What the API description says of an endpoint. */
export interface EndpointDocumentation {
  readonly summary: string;
  /** The DTO of the JSON body. */
  readonly body?: () => new () => object;
  /** The media types it answers; JSON by default. */
  readonly produces?: readonly string[];
}

const swagger = loadSwagger();

/** Describes an endpoint for `@nestjs/swagger`, where the application has it. */
export function Documented({ summary, body, produces }: EndpointDocumentation): MethodDecorator {
  if (swagger === undefined) return () => undefined;
  const { ApiOperation, ApiBody, ApiOkResponse, ApiProduces } = swagger;
  return applyDecorators(
    ApiOperation({ summary }),
    ...(body ? [ApiBody({ type: body() })] : []),
    ...(produces ? [ApiProduces(...produces)] : []),
    ApiOkResponse({ description: summary }),
  );
}

/** Describes a DTO's property for `@nestjs/swagger`, where the application has it. */
export function DocumentedField(description: string, schema: ApiSchema = {}): PropertyDecorator {
  return swagger === undefined ? () => undefined : swagger.ApiProperty({ ...schema, description });
}

/** Leaves pages and their scripts out of the API description: they are for browsers. */
export function Undocumented(): MethodDecorator {
  return swagger === undefined ? () => undefined : swagger.ApiExcludeEndpoint();
}

/** Groups a controller's endpoints in the API description. */
export function documentedTag(tag: string): ClassDecorator {
  return swagger === undefined ? () => undefined : swagger.ApiTags(tag);
}

function loadSwagger(): Swagger | undefined {
  try {
    return createRequire(__filename)('@nestjs/swagger') as Swagger;
  } catch {
    return undefined;
  }
}
