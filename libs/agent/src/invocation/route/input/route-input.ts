import { type ResolvedRoute, type DiscoveredTool, pathParametersOf } from '../../../discovery';
import { schemaOf, type SchemaSource } from '../../../schema';
import { declaredPartsOf } from './route-declared-parts';
import type { RouteMethod } from './route-describer';
import { type RouteInput, routeFieldsOf } from './route-fields';
import type { RouteHeaderRules } from './route-header-rules';
import { ToolDeclarationError, type JsonSchema } from '../../../tool';
import { consumesOnlyForms } from './route-documentation';
import { takesUploads } from './route-parameter';
import { propertyParts, type RoutePart, wholeParts } from './route-part';

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

/** @throws ToolDeclarationError for a route with uploaded files */
export function assertNoUpload({ host, methodName, source }: DiscoveredTool): void {
  if (!takesUploads(host, methodName) && !consumesOnlyForms(host, methodName)) return;
  throw new ToolDeclarationError(
    `${source}: a route that takes uploaded files cannot be a tool, because a model has no files to send. Write a provider tool that takes text or an address.`,
  );
}

/** With `input`, the option defines the arguments and the route their places. */
function partsOfInput(
  schema: JsonSchema,
  declared: readonly RoutePart[],
  { pattern, method }: ResolvedRoute,
): readonly RoutePart[] {
  const paths = new Map(pathParametersOf(pattern).map(({ name, ...rest }) => [name, rest]));
  const rest = restOf(declared, method);
  // Open parts stay open: they are the whole body or query.
  const parts =
    schema.additionalProperties === true
      ? wholeParts(rest, 0, { schema, required: true })
      : propertyParts(rest, 0, schema);
  const ofInput = parts.map((part): RoutePart => {
    if (part.key === undefined) return part;
    const { key } = part;
    const inPath = paths.get(key);
    if (inPath) return { ...part, place: 'path', required: part.required || !inPath.isOptional };
    const known = declared.find((one) => one.key === key);
    return known ? { ...part, place: known.place } : part;
  });
  const missing = declared.filter(
    ({ place, key }) => place === 'path' && !ofInput.some((part) => part.key === key),
  );
  return [...missing, ...ofInput];
}

/** The place of properties that the route does not name: the open part. */
function restOf(declared: readonly RoutePart[], method: string): 'body' | 'query' {
  const places = declared.map(({ place }) => place);
  if (places.includes('body')) return 'body';
  if (declared.some(({ place, key }) => place === 'query' && key === undefined)) return 'query';
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? 'query' : 'body';
}
