import { withFallback } from '../../internal';
import type { JsonSchema } from '../../tool';

/** One more step of a JSON pointer (RFC 6901). */
export function pointer(path: string, key: PropertyKey): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The target of a local reference, with the keywords beside it; a schema without one as it is. */
export function resolveRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  // Definitions may be references too; the limit ends cycles.
  for (let hops = 0; current.$ref !== undefined && hops < 16; hops++) {
    const { $ref, ...beside } = current;
    const target = follow($ref, root);
    if (target === undefined) return beside;
    current = { ...target, ...beside };
  }
  return current;
}

/** The target of a local pointer; `undefined` if there is none. */
export function follow(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const decoded = withFallback(() => decodeURIComponent(step), undefined);
    const key = decoded?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined) return undefined;
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return typeof found === 'object' && found !== null ? (found as JsonSchema) : undefined;
}
