import { canonicalJson, getOrAdd, oncePer } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { type ArgumentIssue, InvalidArgumentsError, type JsonSchema } from '../../tool';
import { pointer } from './json-pointer';
import { someSchema } from './map-schemas';
import { isMisplaced, isStray, isHidden, itemsOf, membersOf, viewsOf } from './schema-views';

/** The replacement of a sensitive value. */
export const MASK = '[redacted]';

/**
 * The arguments with `writeOnly` values masked, at any depth. A value with several possible schemas
 * is masked if any of them is sensitive; so is a value of the wrong type in place of one with
 * sensitive parts, in a call that will be refused.
 */
export function masked(input: JsonObject, schema: JsonSchema): JsonObject {
  return hasSensitive(schema) ? (mask(input, [schema], schema) as JsonObject) : input;
}

/**
 * The shown arguments with the stored values in place of the masks. List items are matched by their
 * other values, else by position.
 *
 * @param shown the edited arguments, masks included
 * @param stored the original arguments
 * @throws InvalidArgumentsError if no stored value belongs to a mask
 */
export function unmasked(shown: JsonObject, stored: JsonObject, schema: JsonSchema): JsonObject {
  if (!hasSensitive(schema)) return shown;
  const issues: ArgumentIssue[] = [];
  const unmask = (
    value: JsonValue,
    before: JsonValue | undefined,
    parts: readonly JsonSchema[],
    path: string,
  ): JsonValue => {
    const views = viewsOf(parts, schema);
    if (isHidden(views)) {
      if (value !== MASK) return value;
      if (before === undefined) issues.push({ path, message: 'is masked, and no value is stored' });
      return before ?? value;
    }
    if (Array.isArray(value)) {
      const items = value as readonly JsonValue[];
      const sources = sourcesOf(items, Array.isArray(before) ? before : [], views, schema);
      return items.map((item, index) =>
        unmask(item, sources[index], itemsOf(views, index), pointer(path, index)),
      );
    }
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([key, member]) => {
      const source = isJsonObject(before) && Object.hasOwn(before, key) ? before[key] : undefined;
      return [key, unmask(member, source, membersOf(views, key), pointer(path, key))] as const;
    });
    return Object.fromEntries(members);
  };
  const value = unmask(shown, stored, [schema], '') as JsonObject;
  if (issues.length > 0) throw new InvalidArgumentsError(issues);
  return value;
}

/** Whether a schema has a `writeOnly` part. */
export const hasSensitive = oncePer(isMarked);

function isMarked(schema: JsonSchema): boolean {
  return schema.writeOnly === true || someSchema(schema, isMarked);
}

function mask(value: JsonValue, parts: readonly JsonSchema[], root: JsonSchema): JsonValue {
  const views = viewsOf(parts, root);
  if (isHidden(views) || isMisplaced(value, views, root)) return MASK;
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => mask(item, itemsOf(views, index), root));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isStray(key, views, root) ? MASK : mask(member, membersOf(views, key), root),
    ]),
  );
}

/** The stored item of each item: one with the same masked form, else the one at its position. */
function sourcesOf(
  items: readonly JsonValue[],
  stored: readonly JsonValue[],
  views: readonly JsonSchema[],
  root: JsonSchema,
): readonly (JsonValue | undefined)[] {
  const looks = stored.map((item, index) => canonicalJson(mask(item, itemsOf(views, index), root)));
  // By look, the first place last: a list may be long, so each place is looked at once.
  const alike = new Map<string, number[]>();
  for (const [place, look] of [...looks.entries()].reverse())
    getOrAdd(alike, look, () => []).push(place);
  const taken = new Set<number>();
  const places = items.map((item, index) => {
    const look = canonicalJson(item);
    const others = alike.get(look) ?? [];
    let place = looks[index] === look ? index : others.pop();
    while (place !== undefined && taken.has(place)) place = others.pop();
    if (place !== undefined) taken.add(place);
    return place;
  });
  return items.map((_, index) => {
    const isUntouched = items.length === stored.length && !taken.has(index);
    return stored[places[index] ?? (isUntouched ? index : -1)];
  });
}
