import type { Type } from '@nestjs/common';
import { defined } from '../../../internal';
import {
  apiExamples,
  apiSchemaOf,
  apiConsumesOf,
  apiHeadersOf,
  apiModelsOf,
  type ApiParameter,
  apiParametersOf,
  apiSourceOf,
  documentSchemaOf,
  hasKeywords,
  methodOf,
  saysWhatItIs,
} from '../../../schema';
import type { JsonSchema } from '../../../tool';
import type { ParameterPlace } from './route-parameter';

/** One parameter's documentation by `@nestjs/swagger`. */
export interface ParameterDocumentation {
  readonly place: ParameterPlace;
  /** Missing for bodies. */
  readonly name?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
  /** The separator of a list in the query, if it is one text there. */
  readonly joinedBy?: string;
}

const PLACES: Readonly<Record<string, ParameterPlace>> = {
  path: 'path',
  query: 'query',
  header: 'header',
  body: 'body',
};

/** A method's parameters by `@ApiParam`, `@ApiQuery`, `@ApiHeader` and `@ApiBody`. */
export function documentedParametersOf(
  host: Type<unknown>,
  methodName: string,
): readonly ParameterDocumentation[] {
  const handler = methodOf(host, methodName) ?? {};
  const models = apiModelsOf(handler, host);
  return [...apiHeadersOf(host), ...apiParametersOf(handler)].flatMap((parameter) => {
    const place = PLACES[parameter.in ?? 'header'];
    if (!place) return [];
    const schema = schemaFrom(parameter, models);
    const { required, description } = parameter;
    const name = typeof parameter.name === 'string' && parameter.name ? parameter.name : undefined;
    const separator = place === 'query' ? joinedBy(parameter) : undefined;
    return [defined({ place, name, required, description, schema, joinedBy: separator })];
  });
}

const SEPARATORS: ReadonlyMap<unknown, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
]);

/**
 * How a list in the query is one text: `style` and `explode` of OpenAPI, where `form` repeats the name
 * unless `explode` is false. `simple` is for paths, but its meaning is clear.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-values
 */
function joinedBy({ style, explode }: ApiParameter): string | undefined {
  const isOneText =
    style === 'simple' || SEPARATORS.has(style) ? explode !== true : explode === false;
  return isOneText ? (SEPARATORS.get(style) ?? ',') : undefined;
}

/** Whether a method is documented to accept only a multipart form. */
export function consumesOnlyForms(host: Type<unknown>, methodName: string): boolean {
  const handler = methodOf(host, methodName) ?? {};
  const consumed = apiConsumesOf(handler) ?? apiConsumesOf(host) ?? [];
  return consumed.length > 0 && consumed.every((type) => type.startsWith('multipart/'));
}

function schemaFrom(
  parameter: ApiParameter,
  models: Parameters<typeof documentSchemaOf>[1],
): JsonSchema | undefined {
  const { schema, example } = parameter;
  const { example: inner = example, ...rest } = schema ?? {};
  const own = documentSchemaOf(rest, models);
  // A mere reference carries no information, unless it leads to a model.
  const isUnknown = '$ref' in rest && ('$ref' in own || !hasKeywords(own));
  const isTyped = !isUntyped(parameter) && apiSourceOf(parameter) !== undefined;
  if (schema && !isUnknown) {
    // `type` accompanies a schema that only has a default or bounds.
    const type = isTyped && !saysWhatItIs(own) ? apiSchemaOf(parameter) : {};
    return { ...type, ...own, ...apiExamples({ example: inner }) };
  }
  const examples = apiExamples({ example });
  if (isTyped) return { ...apiSchemaOf(parameter), ...examples };
  return hasKeywords(examples) ? examples : undefined;
}

/** `@ApiBody` without a type says `String`. A body of text has that type at its parameter. */
function isUntyped({ in: place, type, isArray }: ApiParameter): boolean {
  return place === 'body' && type === String && isArray !== true;
}
