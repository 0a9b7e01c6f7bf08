import { isJsonObject } from '../../message';
import type { JsonSchema } from '../../tool';
import { follow } from './resolve-ref';

/*
 * What a schema may say of a value, for whoever must miss nothing: no branch is left out because the
 * value does not fit it.
 */

/** How many schemas are looked at for one value: references may fan out without end. */
const MAX_VIEWS = 512;

/** A schema of what is sensitive. */
const HIDDEN: JsonSchema = { writeOnly: true };

/** Whether a value is sensitive. */
export function isHidden(views: readonly JsonSchema[]): boolean {
  return views.some(({ writeOnly }) => writeOnly === true);
}

/** The keywords under which further schemas speak of the same value. */
const BESIDE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const;

/** All schemas that may speak of a value. */
export function viewsOf(parts: readonly JsonSchema[], root: JsonSchema): readonly JsonSchema[] {
  const views: JsonSchema[] = [];
  const open: JsonSchema[] = [...parts];
  for (let part = open.pop(); part !== undefined && views.length < MAX_VIEWS; part = open.pop()) {
    views.push(part);
    // What cannot be looked at may be sensitive.
    if (part.$ref !== undefined) open.push(follow(part.$ref, root) ?? HIDDEN);
    open.push(...BESIDE.flatMap((keyword) => schemasIn([part[keyword]].flat())));
    open.push(...schemasIn(Object.values(part.dependentSchemas ?? {})));
  }
  return open.length > 0 ? [...views, HIDDEN] : views;
}

/** The schemas that speak of a member of an object. */
export function membersOf(views: readonly JsonSchema[], key: string): readonly JsonSchema[] {
  return views.flatMap((view): readonly JsonSchema[] => {
    const own = namedOf(view, key);
    return schemasIn([
      ...(own.length > 0 ? own : [view.additionalProperties]),
      view.unevaluatedProperties,
    ]);
  });
}

/** What a schema says of a member by its name; empty where it does not know the name. */
export function namedOf(
  { properties = {}, patternProperties = {} }: JsonSchema,
  key: string,
): readonly unknown[] {
  const named = Object.hasOwn(properties, key) ? [properties[key]] : [];
  const fitting = Object.entries(patternProperties as JsonSchema)
    .filter(([pattern]) => mayFit(pattern, key))
    .map(([, schema]) => schema);
  return [...named, ...fitting];
}

/** A pattern that cannot be read may fit anything. */
function mayFit(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key);
  } catch {
    return true;
  }
}

/** The schemas that speak of an item of a list. */
export function itemsOf(views: readonly JsonSchema[], index: number): readonly JsonSchema[] {
  return views.flatMap(({ prefixItems, items, unevaluatedItems, contains }) => {
    const fixed: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
    return schemasIn([fixed ?? items, unevaluatedItems, contains]);
  });
}

function schemasIn(values: readonly unknown[]): readonly JsonSchema[] {
  return values.filter(isSchema);
}

function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}
