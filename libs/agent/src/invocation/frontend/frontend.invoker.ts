import { SchemaValidator } from '../../schema';
import {
  InvalidArgumentsError,
  type JsonSchema,
  type Tool,
  type ToolDefinition,
  traitsOf,
} from '../../tool';
import type { Deliveries } from '../call';

/** A tool that the caller executes: in the browser, or in another client. */
export function buildFrontendTool(
  definition: ToolDefinition,
  deliveries: Deliveries,
  timeoutMs: number,
): Tool {
  const { input_schema: schema } = definition;
  const whole = new SchemaValidator(schema);
  const outline = new SchemaValidator(outlineOf(schema));
  const text = JSON.stringify(schema);
  const chars = MAY_TAKE_FOR_EVER.test(text) ? Infinity : text.length;
  return {
    definition,
    kind: 'frontend',
    source: `frontendTools.${definition.name}`,
    // Its effects are unknown: it is neither repeated nor run in parallel.
    traits: traitsOf({}),
    permission: 'allow',
    origin: 'client',
    answer: { from: 'frontend', timeoutMs },
    // `Deliveries` applies the timeout: another process may have a result in time.
    timeoutMs: Infinity,
    retry: { maxAttempts: 1 },
    bind(input) {
      const isCostly = chars * JSON.stringify(input).length > MOST_WORK;
      const issues = (isCostly ? outline : whole).check(input);
      return issues.length > 0
        ? Promise.reject(new InvalidArgumentsError(issues))
        : Promise.resolve(input);
    },
    invoke: ({ context }) => deliveries.take(context.call.id, timeoutMs),
  };
}

/** A regular expression or a reference in a schema's JSON. Escaped quotes in texts do not match. */
const MAY_TAKE_FOR_EVER = /"(?:pattern|\$(?:dynamic|recursive)?ref)":"|"patternProperties":/i;

/**
 * The most work of one check, in characters: each member of the arguments may be compared with the
 * whole schema.
 */
const MOST_WORK = 4_000_000;

/**
 * The names and types of the arguments in a client's schema. Regular expressions, chains of definitions
 * and many alternatives for many values would block all users; the client checks the rest of such a
 * schema.
 */
function outlineOf(schema: JsonSchema): JsonSchema {
  const { type, required, properties = {}, additionalProperties, patternProperties } = schema;
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return {
    ...(type !== undefined && { type }),
    ...(required && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { type: kind }]) => [
        name,
        kind ? { type: kind } : {},
      ]),
    ),
    ...(isClosed && { additionalProperties }),
  };
}
