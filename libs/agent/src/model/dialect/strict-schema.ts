import type { JsonSchema } from '../../tool';
import { isRecursive } from './recursion';
import type { StrictDialect } from './strict-dialect';
import { StrictRefusal, StrictWriter } from './strict-writer';

/** A schema that a provider can bind its model to, or why there is none. */
export type StrictSchema = { readonly schema: JsonSchema } | { readonly reason: string };

/**
 * Brings a schema into the form that a provider can bind its model to. The result may accept
 * more than the schema, for lengths and the like stand in words; never less. A
 * property that may be left out is made nullable where all have to be there: `null` then says "not
 * given", and is taken out of the model's answer.
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
