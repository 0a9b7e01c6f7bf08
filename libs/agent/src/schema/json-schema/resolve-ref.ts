import type { JsonSchema } from '../../tool';

/** The schema a local reference points to, with what stands beside the reference; else itself. */
export function resolveRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  // Definitions may refer on; a ring of mere references leads nowhere.
  for (let hops = 0; current.$ref !== undefined && hops < 16; hops++) {
    const { $ref, ...beside } = current;
    const target = follow($ref, root);
    if (target === undefined) return beside;
    current = { ...target, ...beside };
  }
  return current;
}

/** What a local pointer points to; `undefined` where nothing is. */
export function follow(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return typeof found === 'object' && found !== null ? (found as JsonSchema) : undefined;
}
