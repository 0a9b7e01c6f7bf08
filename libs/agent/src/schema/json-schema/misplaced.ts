import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { typesOf } from './combine';
import { someSchema } from './map-schemas';
import { isHidden, namedOf, viewsOf } from './schema-views';

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

function holdsSensitive(
  schema: JsonSchema,
  root: JsonSchema,
  seen = new Set<JsonSchema>(),
): boolean {
  const views = viewsOf([schema], root).filter((view) => !seen.has(view));
  for (const view of views) seen.add(view);
  if (isHidden(views)) return true;
  return views.some((view) =>
    someSchema(view, (part) => !seen.has(part) && holdsSensitive(part, root, seen)),
  );
}
