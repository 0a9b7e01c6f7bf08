import type { JsonSchema } from './json-schema';

/**
 * A tool as every part of the library knows it. Adapters convert it for their provider and leave
 * `output_schema` out.
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
  /** What people read instead of the name. Models are not told of it. */
  readonly title?: string;
  /** What it does, which is what the model chooses by. */
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments; `type` is `object`, and unknown keys are refused. */
  readonly input_schema: JsonSchema;
  /** What results look like. They are checked against it where the tool declares it itself. */
  readonly output_schema?: JsonSchema;
}
