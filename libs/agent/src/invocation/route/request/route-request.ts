import { type ResolvedRoute, sharedParametersOf } from '../../../discovery';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../message';
import { pointer } from '../../../schema';
import { InvalidArgumentsError, type ArgumentIssue } from '../../../tool';
import type { RouteRequest } from '../../dispatch';
import type { RouteField, RouteInput } from '../input';
import { queryPairsOf, queryString, type QueryStyle, textOf } from './route-query';
import { misreadNames } from './route-query-reading';
import { fillPath, type PathValue } from './route-url';

/**
 * The default `accept`; without parameters, because media type versions are read from the first
 * `;`.
 */
const ACCEPT = 'application/json, text/plain, */*';

/** Methods of requests for which nothing is all: an empty list of ids to remove must not mean it. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const EMPTY = 'must not be empty: a query cannot carry it, so leave it out if nothing is meant';
const MISREAD =
  'cannot be sent: the application reads a query of this length or depth otherwise; give fewer values';

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request of one call. */
export interface BoundRequest extends RouteRequest {
  /** The path parameters that a router may read otherwise, by the route's names. */
  readonly sharedValues: ReadonlyMap<string, PathValue>;
}

/**
 * Builds the route's request from a tool's arguments, without data of the caller.
 *
 * @throws InvalidArgumentsError for a value that is invalid in a path or header
 */
export function routeRequestOf(
  route: ResolvedRoute,
  { fields, hasBody }: RouteInput,
  input: JsonObject,
  style: QueryStyle,
): BoundRequest {
  const issues: ArgumentIssue[] = [];
  const values = pathValuesOf(fields, input, issues);
  const path = fillPath(route.pattern, (parameter) => values.get(parameter), issues);
  const query = queryOf(
    route,
    queryArgumentsOf(route, fields, input, style, issues),
    style,
    issues,
  );
  const headers: Record<string, string> = {
    accept: ACCEPT,
    ...headersOf(fields, input, issues),
    ...route.headers,
  };
  if (issues.length > 0) throw new InvalidArgumentsError(issues);

  const shared = sharedParametersOf(route.pattern);
  const sharedValues = new Map([...values].filter(([parameter]) => shared.has(parameter)));
  const request = { method: route.method, path: path + query, headers, sharedValues };
  const given = bodyOf(fields, input);
  const body = given === undefined && hasBody ? {} : given;
  if (body === undefined) return request;
  headers['content-type'] = 'application/json';
  return { ...request, body: JSON.stringify(body) };
}

function pathValuesOf(
  fields: readonly RouteField[],
  input: JsonObject,
  issues: ArgumentIssue[],
): ReadonlyMap<string, PathValue> {
  return new Map(
    fields.flatMap((field): [string, PathValue][] => {
      const { place, name, key = name } = field;
      const value = place === 'path' ? valueOf(input, field) : undefined;
      return value === undefined ? [] : [[key, { name, value: joined(field, value, issues) }]];
    }),
  );
}

/** A list as one text. Paths and headers separate its members by commas where nothing else is said. */
function joined(field: RouteField, value: JsonValue, issues: ArgumentIssue[]): string {
  if (!Array.isArray(value)) return textOf(value);
  const isPlain = value.every((member) => typeof member !== 'object');
  const { separator = isPlain ? ',' : undefined } = field;
  if (separator === undefined) return textOf(value);
  const members = value.map(textOf);
  checkMembers({ ...field, separator }, members, issues);
  return members.join(separator);
}

/** An argument in the query. */
interface QueryArgument {
  /** JSON pointer to it. */
  readonly path: string;
  /** The route's name for it. */
  readonly key: string;
  readonly value: JsonValue;
}

function queryArgumentsOf(
  route: ResolvedRoute,
  fields: readonly RouteField[],
  input: JsonObject,
  style: QueryStyle,
  issues: ArgumentIssue[],
): readonly QueryArgument[] {
  return fields.flatMap((field): readonly QueryArgument[] => {
    if (field.place !== 'query') return [];
    const path = pointer('', field.name);
    const { key } = field;
    if (key === undefined) {
      const members = openQueryOf(field, input, takenNames(route, fields), issues);
      return members.map(([name, value]) => ({ path: pointer(path, name), key: name, value }));
    }
    const value = queryValueOf(field, input, style, issues);
    return value === undefined ? [] : [{ path, key, value }];
  });
}

/** The query with its arguments, as the application reads them. */
function queryOf(
  { method, query }: ResolvedRoute,
  given: readonly QueryArgument[],
  style: QueryStyle,
  issues: ArgumentIssue[],
): string {
  const pairs = [
    ...Object.entries(query),
    ...given.flatMap(({ key, value }) => queryPairsOf(key, value, style)),
  ];
  const text = queryString(pairs);
  const misread = style.parse ? misreadNames({ text, pairs, given }, style.parse) : [];
  for (const { path, key, value } of given) {
    if (misread.includes(key)) issues.push({ path, message: MISREAD });
    if (!READING.has(method) && isEmpty(value)) issues.push({ path, message: EMPTY });
  }
  return text;
}

/** Of a list or an object. */
function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A value in a query. Without brackets, a list of one is a text, which its pipe splits. */
function queryValueOf(
  field: RouteField,
  input: JsonObject,
  { isNested }: QueryStyle,
  issues: ArgumentIssue[],
): JsonValue | undefined {
  const value = valueOf(input, field);
  if (field.isJoined === true && Array.isArray(value) && value.length > 0)
    return joined(field, value, issues);
  if (!isNested && Array.isArray(value) && value.length === 1)
    checkMembers(field, value.map(textOf), issues);
  return value;
}

/** Refuses a member of a list that contains its separator. */
function checkMembers(
  { name, separator }: RouteField,
  members: readonly string[],
  issues: ArgumentIssue[],
): void {
  members.forEach((member, index) => {
    if (separator === undefined || !member.includes(separator)) return;
    const message = `must not contain "${separator}", which separates the members of the list`;
    issues.push({ path: pointer(pointer('', name), String(index)), message });
  });
}

/** Query names that an open query must not set. */
function takenNames({ query }: ResolvedRoute, fields: readonly RouteField[]): ReadonlySet<string> {
  const own = fields.flatMap(({ place, key }) =>
    place === 'query' && key !== undefined ? [key] : [],
  );
  return new Set([...Object.keys(query), ...own]);
}

/** The members of an open query. A name with brackets is the same name. */
function openQueryOf(
  field: RouteField,
  input: JsonObject,
  taken: ReadonlySet<string>,
  issues: ArgumentIssue[],
): readonly (readonly [key: string, value: JsonValue])[] {
  const given = valueOf(input, field);
  if (!isJsonObject(given)) return [];
  const members = Object.entries(given);
  for (const [key] of members) {
    if (!taken.has(/^\[*([^[\]]*)/.exec(key)?.[1] ?? '')) continue;
    issues.push({
      path: pointer(pointer('', field.name), key),
      message: 'is not for the query: it is an argument of its own',
    });
  }
  return members;
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
    const text = joined(field, value, issues);
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

/** The body's arguments; `undefined` if none is given. */
function bodyOf(fields: readonly RouteField[], input: JsonObject): JsonValue | undefined {
  const given = fields.flatMap(({ place, name, key }) => {
    const value = place === 'body' && Object.hasOwn(input, name) ? input[name] : undefined;
    return value === undefined ? [] : [{ name, key, value }];
  });
  const whole = given.find(({ key }) => key === undefined);
  if (whole || given.length === 0) return whole?.value;
  return Object.fromEntries(given.map(({ name, key = name, value }) => [key, value]));
}

/** `null` cannot be sent in a path, query or header. */
function valueOf(input: JsonObject, { name }: RouteField): JsonValue | undefined {
  return Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
}
