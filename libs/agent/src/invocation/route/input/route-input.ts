import type { ResolvedRoute } from '../../../discovery';
import { schemaOf, type SchemaSource } from '../../../schema';
import { declaredPartsOf } from './route-declared-parts';
import type { RouteMethod } from './route-describer';
import { type RouteInput, routeFieldsOf } from './route-fields';
import type { RouteHeaderRules } from './route-header-rules';
import { partsOfInput } from './route-input-option';

interface Declaration extends RouteMethod {
  /** The tool's name, which becomes the schema's title. */
  readonly title: string;
  /** The `input` option of the tool. */
  readonly input?: unknown;
}

/**
 * Derives a route tool's arguments in three steps: the method's parameters (`RouteParameter`), the
 * single values they read (`RoutePart`), and the tool's arguments that fill those (`RouteField`).
 */
export function routeInputOf(
  { title, input, ...method }: Declaration,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): RouteInput {
  const declared = declaredPartsOf(method, route, rules);
  return routeFieldsOf(
    title,
    input === undefined ? declared : partsOfInput(schemaOf(input as SchemaSource), declared, route),
  );
}
