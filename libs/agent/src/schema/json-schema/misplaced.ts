import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { typesOf } from './combine';
import { mapSchemas } from './map-schemas';
import { isHidden, namedOf, viewsOf } from './schema-views';

/**
 * Whether a value stands where its schema wants one of another kind, and that one holds something
 * sensitive: a model wrote an object where a list of them belongs, or its JSON as text. Nobody can
 * tell then what in it is sensitive.
 *
 * @param views all schemas that may speak of the value
 */
export function isMisplaced(
  value: JsonValue,
  views: readonly JsonSchema[],
  root: JsonSchema,
): boolean {
  if (value === null || typeof value === 'boolean') return false;
  return !isOfKind(value, views) && views.some((view) => holdsSensitive(view, root));
}

/** Whether an object has no place for a member, among others that hold something sensitive. */
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

/** The types that a schema names, or whose members it describes. */
function kindsOf(view: JsonSchema): readonly string[] {
  if (view.type !== undefined) return typesOf(view.type);
  return [
    ...(view.properties || view.patternProperties ? ['object'] : []),
    ...(view.items !== undefined || view.prefixItems !== undefined ? ['array'] : []),
  ];
}

function holdsSensitive(
  schema: JsonSchema,
  root: JsonSchema,
  seen = new Set<JsonSchema>(),
): boolean {
  const views = viewsOf([schema], root).filter((view) => !seen.has(view));
  for (const view of views) seen.add(view);
  if (isHidden(views)) return true;
  let found = false;
  for (const view of views)
    mapSchemas(view, (part) => {
      found ||= !seen.has(part) && holdsSensitive(part, root, seen);
      return part;
    });
  return found;
}
