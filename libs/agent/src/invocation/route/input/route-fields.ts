import { defined, freeName } from '../../../internal';
import { mergeObjectSchema, type ParameterSchema, combine, NOTHING } from '../../../schema';
import type { JsonSchema } from '../../../tool';
import type { ParameterPlace } from './route-parameter';
import { isUndeclared, type RoutePart } from './route-part';

/** The length of the argument names that model providers accept. */
const LONGEST = 64;

/** The place of one of the tool's arguments in the request. */
export interface RouteField extends Pick<RoutePart, 'place' | 'key' | 'separator' | 'isJoined'> {
  /** The argument's name. */
  readonly name: string;
}

/** A route tool's arguments and their places in the request. */
export interface RouteInput {
  readonly schema: JsonSchema;
  readonly fields: readonly RouteField[];
  /** Whether a request without arguments for the body still has the body `{}`. */
  readonly hasBody: boolean;
}

/**
 * Gives every part an argument with a unique name. The body's fields are at the top level if no
 * name is used twice, else under `body`.
 *
 * @param title the schema's title
 */
export function routeFieldsOf(title: string, declared: readonly RoutePart[]): RouteInput {
  const parts = distinctParts(declared);
  const names = new Set<string>();
  const fields: RouteField[] = [];
  const schemas: ParameterSchema[] = [];
  const add = (part: RoutePart, wanted: string): void => {
    const { place, key, separator, isJoined, index, schema, required } = part;
    const name = ownName(wanted, place, names);
    names.add(name);
    fields.push(defined({ name, place, key, separator, isJoined }));
    schemas.push({ name, index, schema, required });
  };

  const others = parts.filter(({ place }) => place !== 'body');
  for (const part of others) add(part, part.key === '*' ? 'path' : (part.key ?? part.place));

  const body = parts.filter(({ place }) => place === 'body');
  const whole = body.find(({ key }) => key === undefined);
  const inBody = body.filter(({ key }) => key !== undefined);
  if (whole) add(isUndeclared(whole.schema) ? openWholeOf(whole, inBody) : whole, 'body');
  else if (inBody.some(({ key }) => names.has(argumentName(key ?? '')))) {
    add(wholeOf(inBody), 'body');
  } else for (const part of inBody) add(part, part.key ?? '');

  const hasBody = whole ? hasKnownFields(whole.schema) : inBody.length > 0;
  return { schema: mergeObjectSchema(title, schemas), fields, hasBody };
}

/** For an object with only optional properties, `{}` equals no body; its handler expects an object. */
function hasKnownFields({ type, properties = {}, required }: JsonSchema): boolean {
  return type === 'object' && required === undefined && Object.keys(properties).length > 0;
}

function wholeOf(parts: readonly RoutePart[]): RoutePart {
  const properties = parts.map(({ key = '', index, schema, required }) => ({
    name: key,
    index,
    schema,
    required,
  }));
  return {
    place: 'body',
    index: parts[0]?.index ?? 0,
    schema: mergeObjectSchema('Body', properties),
    required: parts.some(({ required }) => required),
  };
}

/** A body of unknown fields, with those that other parameters read. */
function openWholeOf(whole: RoutePart, parts: readonly RoutePart[]): RoutePart {
  if (parts.length === 0) return whole;
  const known = wholeOf(parts);
  const schema = { ...known.schema, additionalProperties: true };
  return { ...whole, schema, required: whole.required || known.required };
}

function argumentName(key: string): string {
  return key.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, LONGEST);
}

function ownName(wanted: string, place: ParameterPlace, taken: ReadonlySet<string>): string {
  const name = argumentName(wanted);
  if (!taken.has(name)) return name;
  return freeName(argumentName(`${place}_${name}`), (other) => taken.has(other), LONGEST);
}

/**
 * One part for each value of the request: two DTOs of one query, or a DTO and a parameter of its own,
 * may read the same one.
 */
function distinctParts(parts: readonly RoutePart[]): readonly RoutePart[] {
  const distinct = new Map<string, RoutePart>();
  for (const part of parts) {
    const { place, key } = part;
    const name = `${place} ${(place === 'header' ? key?.toLowerCase() : key) ?? ''}`;
    const earlier = distinct.get(name);
    distinct.set(name, earlier ? both(earlier, part) : part);
  }
  return [...distinct.values()];
}

/** A value that two parameters read, so that both have to accept it. */
function both(earlier: RoutePart, later: RoutePart): RoutePart {
  return {
    ...earlier,
    ...later,
    index: earlier.index,
    schema: schemaOfBoth(earlier.schema, later.schema),
    required: earlier.required || later.required,
  };
}

function schemaOfBoth(earlier: JsonSchema, later: JsonSchema): JsonSchema {
  // An open object declares nothing.
  if (isUndeclared(later)) return earlier;
  if (isUndeclared(earlier)) return later;
  // Definitions are found from the root, so not within `allOf`.
  if (earlier.$defs ?? later.$defs) return later;
  const schema = combine(earlier, later);
  // Text of a query has a type of its own for each of its readers.
  return schema === NOTHING ? later : schema;
}
