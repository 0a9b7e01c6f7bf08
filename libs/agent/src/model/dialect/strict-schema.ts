import { resolveRef, someSchema } from '../../schema';
import type { JsonSchema } from '../../tool';
import type { StrictDialect } from './strict-dialect';
import { StrictRefusal, StrictWriter } from './strict-writer';

/** A schema that a provider can enforce on its model, or why there is none. */
export type StrictSchema = { readonly schema: JsonSchema } | { readonly reason: string };

/**
 * Converts a schema to the form that a provider can enforce on its model. The result may accept
 * more than the schema, since lengths and similar rules become words, but never less. If all
 * properties must be present, optional ones become nullable: `null` means "not given" and is
 * removed from the model's answer.
 */
export function strictSchemaOf(schema: JsonSchema, dialect: StrictDialect): StrictSchema {
  try {
    if (schema.type !== 'object') return { reason: 'it is no object' };
    if (!dialect.allowsRecursion && isRecursive(schema)) return { reason: 'it refers to itself' };
    const writer = new StrictWriter(schema, dialect);
    const written = writer.writeRoot();
    const excess = dialect.excess(writer.size);
    return excess === undefined ? { schema: written } : { reason: excess };
  } catch (error) {
    if (error instanceof StrictRefusal) return { reason: error.message };
    throw error;
  }
}

/** Whether a schema reaches itself through its references. */
function isRecursive(root: JsonSchema): boolean {
  const finished = new Set<string>();
  const open = new Set<string>();
  const reachesItself = (part: JsonSchema): boolean => {
    if (someSchema(part, reachesItself)) return true;
    const { $ref } = part;
    if ($ref === undefined || finished.has($ref)) return false;
    if ($ref === '#' || open.has($ref)) return true;
    open.add($ref);
    const found = reachesItself(resolveRef({ $ref }, root));
    open.delete($ref);
    finished.add($ref);
    return found;
  };
  return reachesItself(root);
}
