import type { ResolvedRoute, RouteSurroundings } from '../../discovery';
import type { JsonObject, JsonValue } from '../../message';
import { InvalidArgumentsError, type ArgumentIssue } from '../../tool';
import type { RouteRequest } from '../dispatch';
import type { RouteField, RouteInput } from './route-fields';
import { queryPairsOf, queryString, type QueryStyle } from './route-query';
import { type PathArguments, routePathOf } from './route-path';

/**
 * What stands where nothing else is asked for; without parameters, since versions by media type are
 * read from the first `;`.
 */
const ACCEPT = 'application/json, text/plain, */*';

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Makes of a tool's arguments the request that the route wants. Nothing of the caller is in it.
 *
 * @param surroundings what the router makes of the route's paths
 * @throws InvalidArgumentsError where a value cannot stand in a path or a header
 */
export function routeRequestOf(
  route: ResolvedRoute,
  { fields, hasBody }: RouteInput,
  input: JsonObject,
  style: QueryStyle,
  surroundings: () => RouteSurroundings,
): RouteRequest {
  const issues: ArgumentIssue[] = [];
  const path = routePathOf(route, pathArgumentsOf(fields, input), surroundings, issues);
  const query = queryString([
    ...Object.entries(route.query),
    ...fields
      .filter(({ place }) => place === 'query')
      .flatMap((field) => queryPairsOf(field.key ?? field.name, valueOf(input, field), style)),
  ]);
  const headers: Record<string, string> = {
    accept: ACCEPT,
    ...headersOf(fields, input, issues),
    ...route.headers,
  };
  if (issues.length > 0) throw new InvalidArgumentsError(issues);

  const body = hasBody ? bodyOf(fields, input) : undefined;
  if (body === undefined) return { method: route.method, path: path + query, headers };
  headers['content-type'] = 'application/json';
  return { method: route.method, path: path + query, headers, body: JSON.stringify(body) };
}

function pathArgumentsOf(fields: readonly RouteField[], input: JsonObject): PathArguments {
  return new Map(
    fields
      .filter(({ place }) => place === 'path')
      .map((field) => {
        const { name, key = name } = field;
        const value = valueOf(input, field);
        return [key, { name, ...(value !== undefined && { value: textOf(value) }) }];
      }),
  );
}

function headersOf(
  fields: readonly RouteField[],
  input: JsonObject,
  issues: ArgumentIssue[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const field of fields) {
    if (field.place !== 'header') continue;
    const value = valueOf(input, field);
    if (value === undefined) continue;
    const text = textOf(value);
    if (HEADER_VALUE.test(text)) headers[(field.key ?? field.name).toLowerCase()] = text;
    else {
      issues.push({
        path: `/${field.name}`,
        message: 'must hold no line breaks, control or non-Latin characters',
      });
    }
  }
  return headers;
}

function bodyOf(fields: readonly RouteField[], input: JsonObject): JsonValue | undefined {
  const whole = fields.find(({ place, key }) => place === 'body' && key === undefined);
  if (whole) return Object.hasOwn(input, whole.name) ? input[whole.name] : undefined;
  const inBody = fields.filter(({ place }) => place === 'body');
  return Object.fromEntries(
    inBody.flatMap(({ name, key = name }): [string, JsonValue][] => {
      const value = Object.hasOwn(input, name) ? input[name] : undefined;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** `null` says nothing that a path, a query or a header could carry. */
function valueOf(input: JsonObject, { name }: RouteField): JsonValue | undefined {
  return Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
