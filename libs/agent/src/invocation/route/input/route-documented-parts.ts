import type { ParameterDocumentation } from './route-documentation';
import type { ParameterPlace, RouteParameter } from './route-parameter';
import { joinedPart } from './route-parameter-schema';
import type { RoutePart } from './route-part';

/** Documented parts that the method reads in another way. */
export function documentedParts(
  wanted: ParameterPlace,
  parameters: readonly RouteParameter[],
  documented: readonly ParameterDocumentation[],
): readonly RoutePart[] {
  const same = (a?: string, b?: string) => a?.toLowerCase() === b?.toLowerCase();
  return documented.flatMap((one, position) => {
    const { place, name, schema, description, required } = one;
    if (place !== wanted || name === undefined) return [];
    if (parameters.some((other) => other.place === place && same(other.key, name))) return [];
    return [
      {
        place,
        key: name,
        index: parameters.length + position,
        required: required ?? false,
        schema: { ...(schema ?? { type: 'string' }), ...(description && { description }) },
        ...joinedPart(one),
      },
    ];
  });
}
