import type { JsonSchema } from './json-schema';

/**
 * The definition of a tool that the whole library shares. Adapters convert it for their provider
 * and omit `output_schema`.
 *
 * @see https://json-schema.org/draft/2020-12
 * @example
 * const definition: ToolDefinition = {
 *   name: 'find_city',
 *   description: 'Find a city by its name',
 *   input_schema: {
 *     type: 'object',
 *     properties: { name: { type: 'string' } },
 *     required: ['name'],
 *   },
 * };
 */
export interface ToolDefinition {
  /** Matches `/^[a-zA-Z0-9_]{1,64}$/`. */
  readonly name: string;
  /** The display name for people; not sent to models. */
  readonly title?: string;
  /** The tool's purpose; the model selects tools by it. */
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments; `type` is `object`, and unknown keys are rejected. */
  readonly input_schema: JsonSchema;
  /** The schema of results. They are validated against it if the tool declares it itself. */
  readonly output_schema?: JsonSchema;
}
