import { oncePer, withFallback } from '../../internal';
import type { JsonSchema } from '../../tool';
import { isSchema, someSchema } from './map-schemas';
import { follow } from './json-pointer';
import type { JsonValue } from '../../message';
import { typesOf } from './combine';

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
function namedOf(
  { properties = {}, patternProperties = {} }: JsonSchema,
  key: string,
): readonly unknown[] {
  const named = Object.hasOwn(properties, key) ? [properties[key]] : [];
  // An invalid pattern may match anything.
  const fitting = Object.entries(patternProperties as JsonSchema)
    .filter(([pattern]) => withFallback(() => new RegExp(pattern, 'u').test(key), true))
    .map(([, schema]) => schema);
  return [...named, ...fitting];
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

/**
 * Whether a value has the wrong type for a schema with something sensitive inside: an object in
 * place of a list, or JSON as text. Its sensitive parts cannot be located then.
 *
 * @param views all schemas that may apply to the value
 */
export function isMisplaced(
  value: JsonValue,
  views: readonly JsonSchema[],
  root: JsonSchema,
): boolean {
  if (value === null || typeof value === 'boolean') return false;
  return !isOfKind(value, views) && views.some((view) => holdsSensitive(view, root));
}

/** Whether a member is unknown to an object with something sensitive in it. */
export function isStray(key: string, views: readonly JsonSchema[], root: JsonSchema): boolean {
  const isKnown = views.some((view) => namedOf(view, key).length > 0);
  return !isKnown && isClosed(views) && views.some((view) => holdsSensitive(view, root));
}

function isClosed(views: readonly JsonSchema[]): boolean {
  const others = views
    .flatMap((view) => [view.additionalProperties, view.unevaluatedProperties])
    .filter((other) => other !== undefined);
  return others.length > 0 && others.every((other) => other === false);
}

function isOfKind(value: JsonValue, views: readonly JsonSchema[]): boolean {
  const kinds = views.flatMap(kindsOf);
  if (kinds.length === 0) return true;
  if (typeof value === 'number') return kinds.includes('number') || kinds.includes('integer');
  return kinds.includes(Array.isArray(value) ? 'array' : typeof value);
}

/** The types of a schema, or implied by its keywords for members. */
function kindsOf(view: JsonSchema): readonly string[] {
  if (view.type !== undefined) return typesOf(view.type);
  return [
    ...(view.properties || view.patternProperties ? ['object'] : []),
    ...(view.items !== undefined || view.prefixItems !== undefined ? ['array'] : []),
  ];
}

/** Whether a schema has a `writeOnly` part, wherever its references lead. */
export function holdsSensitive(schema: JsonSchema, root: JsonSchema): boolean {
  return sensitiveIn(root)(schema);
}

// A wrong call may have thousands of members of one schema.
const sensitiveIn = oncePer((root: JsonSchema) =>
  oncePer((schema: JsonSchema) => leadsToSensitive(schema, root, new Set())),
);

function leadsToSensitive(schema: JsonSchema, root: JsonSchema, seen: Set<JsonSchema>): boolean {
  const views = viewsOf([schema], root).filter((view) => !seen.has(view));
  for (const view of views) seen.add(view);
  if (isHidden(views)) return true;
  return views.some((view) =>
    someSchema(view, (part) => !seen.has(part) && leadsToSensitive(part, root, seen)),
  );
}
