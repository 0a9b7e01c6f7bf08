import type { JsonSchema } from '../../tool';
import type { ParameterPlace } from './route-parameter';
import type { DescribedParameter } from './route-parameter-schema';

/** One value that a route reads from its request. */
export interface RoutePart extends DescribedParameter {
  readonly place: ParameterPlace;
  /** What the route calls it; missing where it is the whole body. */
  readonly key?: string;
  readonly index: number;
}

/** The properties of an object, each a part of its own. */
export function propertyParts(
  place: ParameterPlace,
  index: number,
  schema: JsonSchema,
): readonly RoutePart[] {
  return Object.keys(schema.properties ?? {}).map((key) => ({
    place,
    key,
    index,
    schema: propertyOf(schema, key) ?? {},
    required: schema.required?.includes(key) ?? false,
  }));
}

/** One property's schema with the definitions it may refer to. */
export function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  if (!schema?.properties || !Object.hasOwn(schema.properties, name)) return undefined;
  const property = schema.properties[name];
  return property && schema.$defs ? { ...property, $defs: schema.$defs } : property;
}
