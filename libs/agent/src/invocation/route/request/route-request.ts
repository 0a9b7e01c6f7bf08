import { READING_METHODS, type ResolvedRoute, sharedParametersOf } from '../../../discovery';
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

const EMPTY = 'must not be empty: a query cannot carry it, so leave it out if nothing is meant';
const MISREAD =
  'cannot be sent: the application reads a query of this length or depth otherwise; give fewer values';

const OTHERS = 'is not for the query: it is an argument of its own';
const NO_HEADER = 'must hold no line breaks, control or non-Latin characters';

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

interface QueryArgument {
  /** JSON pointer to it. */
  readonly path: string;
  /** The route's name for it. */
  readonly key: string;
  readonly value: JsonValue;
}

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
  input: RouteInput,
  given: JsonObject,
  style: QueryStyle,
): BoundRequest {
  return new RequestBinding(route, input, given, style).request();
}

/** Builds one request, and collects the problems of its arguments. */
class RequestBinding {
  private readonly issues: ArgumentIssue[] = [];

  constructor(
    private readonly route: ResolvedRoute,
    private readonly input: RouteInput,
    private readonly given: JsonObject,
    private readonly style: QueryStyle,
  ) {}

  request(): BoundRequest {
    const { route, issues } = this;
    const values = this.pathValues();
    const path = fillPath(route.pattern, (parameter) => values.get(parameter), issues);
    const query = this.query();
    const headers: Record<string, string> = {
      accept: ACCEPT,
      ...this.headers(),
      ...route.headers,
    };
    if (issues.length > 0) throw new InvalidArgumentsError(issues);

    const shared = sharedParametersOf(route.pattern);
    const sharedValues = new Map([...values].filter(([parameter]) => shared.has(parameter)));
    const request = { method: route.method, path: path + query, headers, sharedValues };
    const body = this.body();
    if (body === undefined) return request;
    headers['content-type'] = 'application/json';
    return { ...request, body: JSON.stringify(body) };
  }

  private pathValues(): ReadonlyMap<string, PathValue> {
    const values = new Map<string, PathValue>();
    for (const field of this.fieldsIn('path')) {
      const { name, key = name } = field;
      const value = this.valueOf(field);
      if (value !== undefined) values.set(key, { name, value: this.joined(field, value) });
    }
    return values;
  }

  /** The query with its arguments, as the application reads them. */
  private query(): string {
    const { route, style } = this;
    const given = this.fieldsIn('query').flatMap((field) => this.queryArguments(field));
    const pairs = [
      ...Object.entries(route.query),
      ...given.flatMap(({ key, value }) => queryPairsOf(key, value, style)),
    ];
    const text = queryString(pairs);
    const misread = style.parse ? misreadNames({ text, pairs, given }, style.parse) : [];
    for (const { path, key, value } of given) {
      if (misread.includes(key)) this.refuse(path, MISREAD);
      // For a reading method nothing is all: an empty list of ids to remove must not mean it.
      if (!READING_METHODS.has(route.method) && isEmpty(value)) this.refuse(path, EMPTY);
    }
    return text;
  }

  private queryArguments(field: RouteField): readonly QueryArgument[] {
    const { name, key, separator, isJoined = false } = field;
    const path = pointer('', name);
    const value = this.valueOf(field);
    if (key === undefined) return isJsonObject(value) ? this.openQuery(path, value) : [];
    if (value === undefined) return [];
    if (Array.isArray(value) && isJoined && value.length > 0) {
      return [{ path, key, value: this.joined(field, value) }];
    }
    if (!Array.isArray(value) || this.style.isNested || separator === undefined) {
      return [{ path, key, value }];
    }
    // Without brackets, `ParseArrayPipe` parses each text of several, and splits a single one.
    const members = value.map(textOf);
    if (members.length === 1) this.checkMembers(field, members);
    return [{ path, key, value: members }];
  }

  /** The members of an open query, which are no other arguments. A name with brackets is the same name. */
  private openQuery(path: string, members: JsonObject): readonly QueryArgument[] {
    const own = this.fieldsIn('query').flatMap(({ key }) => key ?? []);
    const taken = new Set([...Object.keys(this.route.query), ...own]);
    return Object.entries(members).map(([key, value]) => {
      const member = { path: pointer(path, key), key, value };
      if (taken.has(/^\[*([^[\]]*)/.exec(key)?.[1] ?? '')) this.refuse(member.path, OTHERS);
      return member;
    });
  }

  private headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const field of this.fieldsIn('header')) {
      const { name, key = name } = field;
      const value = this.valueOf(field);
      if (value === undefined) continue;
      const text = this.joined(field, value);
      if (HEADER_VALUE.test(text)) headers[key.toLowerCase()] = text;
      else this.refuse(pointer('', name), NO_HEADER);
    }
    return headers;
  }

  /** The body's arguments; `undefined` if none is given and the route reads none. */
  private body(): JsonValue | undefined {
    const given = this.fieldsIn('body').flatMap(({ name, key }) => {
      const value = Object.hasOwn(this.given, name) ? this.given[name] : undefined;
      return value === undefined ? [] : [{ name, key, value }];
    });
    const whole = given.find(({ key }) => key === undefined);
    if (whole) return whole.value;
    if (given.length === 0) return this.input.hasBody ? {} : undefined;
    return Object.fromEntries(given.map(({ name, key = name, value }) => [key, value]));
  }

  /** A list as one text. Paths and headers separate its members by commas by default. */
  private joined(field: RouteField, value: JsonValue): string {
    if (!Array.isArray(value)) return textOf(value);
    const isPlain = value.every((member) => typeof member !== 'object');
    const { separator = isPlain ? ',' : undefined } = field;
    if (separator === undefined) return textOf(value);
    const members = value.map(textOf);
    this.checkMembers({ ...field, separator }, members);
    return members.join(separator);
  }

  /** Refuses a member of a list that contains its separator. */
  private checkMembers({ name, separator }: RouteField, members: readonly string[]): void {
    members.forEach((member, index) => {
      if (separator === undefined || !member.includes(separator)) return;
      const message = `must not contain "${separator}", which separates the members of the list`;
      this.refuse(pointer(pointer('', name), index), message);
    });
  }

  private fieldsIn(wanted: RouteField['place']): readonly RouteField[] {
    return this.input.fields.filter(({ place }) => place === wanted);
  }

  /** `null` cannot be sent in a path, query or header. */
  private valueOf({ name }: RouteField): JsonValue | undefined {
    return Object.hasOwn(this.given, name) ? (this.given[name] ?? undefined) : undefined;
  }

  private refuse(path: string, message: string): void {
    this.issues.push({ path, message });
  }
}

/** Of a list or an object. */
function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
