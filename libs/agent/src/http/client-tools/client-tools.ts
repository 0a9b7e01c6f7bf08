import { newestDraftOf } from '../../schema';
import { toToolName, type JsonSchema, type ToolDefinition } from '../../tool';

/** A tool as a client names it: hyphens, say, are no part of our names. */
export interface SentTool {
  readonly name: string;
  readonly description?: unknown;
  /** JSON Schema of an object; no arguments by default. */
  readonly parameters?: JsonSchema;
}

/** The client's tools under our names, and the way back. */
export interface ClientToolSet {
  readonly definitions: readonly ToolDefinition[];
  /** The client's own name of one of its tools; other names stay as they are. */
  readonly clientNameOf: (name: string) => string;
}

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/** Maps names to ones that every provider accepts; the client sees its own. */
export function clientToolsOf(tools: readonly SentTool[]): ClientToolSet {
  const names = new Map<string, string>();
  const definitions = tools.map(({ name, description, parameters }) => {
    const ours = toToolName(name);
    names.set(ours, name);
    return {
      name: ours,
      description: typeof description === 'string' && description.trim() ? description : name,
      input_schema: parameters ? { type: 'object', ...readable(parameters) } : NO_ARGUMENTS,
    };
  });
  return { definitions, clientNameOf: (name) => names.get(name) ?? name };
}

/** A schema that is nested too deeply stays as it is; the check of definitions refuses it. */
function readable(schema: JsonSchema): JsonSchema {
  try {
    return newestDraftOf(schema);
  } catch (error) {
    if (error instanceof RangeError) return schema;
    throw error;
  }
}
