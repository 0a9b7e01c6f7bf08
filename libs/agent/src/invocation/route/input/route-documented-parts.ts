import type { ParameterDocumentation } from './route-documentation';
import type { ParameterPlace, RouteParameter } from './route-parameter';
import type { RoutePart } from './route-part';

/** Documented parts that the method reads in another way. */
export function documentedParts(
  wanted: ParameterPlace,
  parameters: readonly RouteParameter[],
  documented: readonly ParameterDocumentation[],
): readonly RoutePart[] {
  const same = (a?: string, b?: string) => a?.toLowerCase() === b?.toLowerCase();
  return documented.flatMap(({ place, name, schema, description, required }, position) => {
    if (place !== wanted || name === undefined) return [];
    if (parameters.some((one) => one.place === place && same(one.key, name))) return [];
    return [
      {
        place,
        key: name,
        index: parameters.length + position,
        required: required ?? false,
        schema: { ...(schema ?? { type: 'string' }), ...(description && { description }) },
      },
    ];
  });
}
