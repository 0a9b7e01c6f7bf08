import type { JsonSchema } from '../../tool';
import { isSchema } from './map-schemas';
import { follow } from './resolve-ref';

/*
 * All schemas that may apply to a value, for masking: a branch counts even if the value does not
 * fit it.
 */

/** The most schemas examined for one value: references may fan out without end. */
const MAX_VIEWS = 512;

/** The schema of a sensitive value. */
const HIDDEN: JsonSchema = { writeOnly: true };

/** Whether a value is sensitive. */
export function isHidden(views: readonly JsonSchema[]): boolean {
  return views.some(({ writeOnly }) => writeOnly === true);
}

/** Keywords with further schemas of the same value. */
const BESIDE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const;

/** All schemas that may apply to a value. */
export function viewsOf(parts: readonly JsonSchema[], root: JsonSchema): readonly JsonSchema[] {
  const views: JsonSchema[] = [];
  const open: JsonSchema[] = [...parts];
  for (let part = open.pop(); part !== undefined && views.length < MAX_VIEWS; part = open.pop()) {
    views.push(part);
    // An unresolved reference may be sensitive.
    if (part.$ref !== undefined) open.push(follow(part.$ref, root) ?? HIDDEN);
    open.push(...BESIDE.flatMap((keyword) => schemasIn([part[keyword]].flat())));
    open.push(...schemasIn(Object.values(part.dependentSchemas ?? {})));
  }
  return open.length > 0 ? [...views, HIDDEN] : views;
}

/** The schemas of an object's member. */
export function membersOf(views: readonly JsonSchema[], key: string): readonly JsonSchema[] {
  return views.flatMap((view): readonly JsonSchema[] => {
    const own = namedOf(view, key);
    return schemasIn([
      ...(own.length > 0 ? own : [view.additionalProperties]),
      view.unevaluatedProperties,
    ]);
  });
}

/** The schemas of a member by its name; empty for an unknown name. */
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

/** An invalid pattern may match anything. */
function mayFit(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key);
  } catch {
    return true;
  }
}

/** The schemas of a list's item. */
export function itemsOf(views: readonly JsonSchema[], index: number): readonly JsonSchema[] {
  return views.flatMap(({ prefixItems, items, unevaluatedItems, contains }) => {
    const fixed: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
    return schemasIn([fixed ?? items, unevaluatedItems, contains]);
  });
}

function schemasIn(values: readonly unknown[]): readonly JsonSchema[] {
  return values.filter(isSchema);
}
