import { withRootDefined } from '../../../schema';
import type { JsonSchema } from '../../../tool';
import type { ParameterPlace } from './route-parameter';
import type { DescribedParameter } from './route-parameter-schema';

/** One value of a request that a route reads. */
export interface RoutePart extends DescribedParameter {
  readonly place: ParameterPlace;
  /** The route's name for it; missing for the whole body or query. */
  readonly key?: string;
  readonly index: number;
}

/** The properties of an object as parts. */
export function propertyParts(
  place: ParameterPlace,
  index: number,
  schema: JsonSchema,
): readonly RoutePart[] {
  const whole = withRootDefined(schema, place);
  return Object.keys(whole.properties ?? {}).map((key) => ({
    place,
    key,
    index,
    schema: {
      ...propertyOf(whole, key),
      ...(schema.writeOnly === true && { writeOnly: true }),
    },
    required: whole.required?.includes(key) ?? false,
  }));
}

/** A closed object, whose properties can be arguments. */
export function isFlat(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' &&
    schema.properties !== undefined &&
    (schema.additionalProperties === undefined || schema.additionalProperties === false) &&
    !['oneOf', 'anyOf', 'allOf', 'if', 'patternProperties', '$ref'].some((word) => word in schema)
  );
}

const UNDECLARED = 'The application does not describe them.';

/** Whether an object is open because its properties are unknown. */
export function isUndeclared({ properties = {}, ...schema }: JsonSchema): boolean {
  const { type, additionalProperties, description } = schema;
  return (
    type === 'object' &&
    additionalProperties === true &&
    Object.keys(properties).length === 0 &&
    (description === undefined || description.endsWith(UNDECLARED))
  );
}

/**
 * The whole body or query: its properties, or one value if they are unknown or depend on each
 * other, as those of a body that may be missing altogether.
 */
export function wholeParts(
  place: 'body' | 'query',
  index: number,
  { schema, required }: DescribedParameter,
): readonly RoutePart[] {
  const isAllOrNothing = place === 'body' && !required && schema.required !== undefined;
  if (isFlat(schema) && !isAllOrNothing) return propertyParts(place, index, schema);
  const isUnknown = schema.additionalProperties === true && schema.description === undefined;
  const description = `The fields of the ${place}. ${UNDECLARED}`;
  return [{ place, index, required, schema: isUnknown ? { ...schema, description } : schema }];
}

/** One property's schema with its definitions. */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  if (!schema?.properties || !Object.hasOwn(schema.properties, name)) return undefined;
  const property = schema.properties[name];
  return property && schema.$defs ? { ...property, $defs: schema.$defs } : property;
}
