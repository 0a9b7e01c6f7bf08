import type { JsonSchema } from '../../tool';
import { isRecursive } from './recursion';
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
