import { withFallback } from '../../../internal';
import type { JsonObject } from '../../../message';
import { formProblems, mapSchemas, newestDraftOf, SchemaValidator } from '../../../schema';
import { ToolDeclarationError, type JsonSchema } from '../../../tool';
import { expansionsOf, isEndless } from './expansions';

/** A server's tool cannot be used; the message says why. */
export class SchemaRefusedError extends Error {
  override readonly name = 'SchemaRefusedError';
}

const PROBLEMS = 3;
/** A check visits this many schemas in a few milliseconds. */
const MAX_EXPANSIONS = 10_000;

/**
 * A server's schema in the form of 2020-12, whichever draft it was written in. Open objects stay
 * open: the server decides about further keys.
 *
 * @throws SchemaRefusedError saying why it cannot be used
 */
export function foreignSchemaOf(sent: JsonObject, name: string): JsonSchema {
  try {
    const schema = converted(newestDraftOf(sent));
    if (name === 'inputSchema' && schema.type !== 'object') {
      throw new SchemaRefusedError('"inputSchema.type" must be "object"');
    }
    const problems = [...formProblems(schema, name), ...outsideReferences(schema, schema)];
    if (problems.length > 0) throw new SchemaRefusedError(problems.slice(0, PROBLEMS).join('; '));
    if (expansionsOf(schema) > MAX_EXPANSIONS) {
      throw new SchemaRefusedError(
        `the references of "${name}" multiply to more than ${MAX_EXPANSIONS} schemas, so a check could take hours`,
      );
    }
    if (isEndless(schema)) {
      throw new SchemaRefusedError(
        `a check by "${name}" would never end: it refers to itself for the same value`,
      );
    }
    // Only the compiler resolves references by name.
    if (/"\$(?:id|anchor|dynamicAnchor|dynamicRef)":/.test(JSON.stringify(schema))) {
      compile(schema);
    }
    return schema;
  } catch (error) {
    if (error instanceof SchemaRefusedError) throw error;
    if (error instanceof RangeError) throw new SchemaRefusedError('it is nested too deeply');
    if (error instanceof ToolDeclarationError) throw new SchemaRefusedError(error.message);
    throw error;
  }
}

/**
 * The schema without regular expressions, for checks in this process: a hostile expression could
 * block it. The server checks its expressions itself.
 */
export function withoutExpressions(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutExpressions);
  if (!('pattern' in inside || 'patternProperties' in inside)) return inside;
  const plain = withoutKeys(inside, 'pattern');
  if (!('patternProperties' in plain)) return plain;
  // Their keys would count as unknown.
  return withoutKeys(
    plain,
    ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  );
}

/**
 * The schema for checks of arguments. It does not demand those with a default, although some servers
 * list them as required: the server fills them in.
 */
export function argumentsSchemaOf(schema: JsonSchema): JsonSchema {
  return withoutExpressions(withoutDefaulted(schema));
}

function withoutDefaulted(schema: JsonSchema): JsonSchema {
  const inside = mapSchemas(schema, withoutDefaulted);
  const { properties = {}, required } = inside;
  if (required === undefined) return inside;
  const hasDefault = (name: string): boolean =>
    Object.hasOwn(properties, name) && properties[name]?.default !== undefined;
  return { ...inside, required: required.filter((name) => !hasDefault(name)) };
}

/**
 * Compiles a schema without applying it: as the schema of a property that the checked value lacks.
 * Its `$id` keeps its references relative to itself.
 *
 * @throws ToolDeclarationError if it cannot be compiled
 */
function compile(schema: JsonSchema): void {
  const absent = { $id: 'urn:nestjs-agent:foreign', ...schema };
  new SchemaValidator({ properties: { absent } }).check({});
}

function converted(schema: JsonSchema): JsonSchema {
  return mapSchemas(withoutKeys(withExpression(schema), 'x-mcp-header'), converted);
}

/**
 * Drops expressions of other dialects, such as Python's: neither the checks nor the model can use
 * them.
 */
function withExpression(schema: JsonSchema): JsonSchema {
  const { pattern, required, ...rest } = schema as JsonSchema & { readonly required?: unknown };
  return {
    ...rest,
    ...(typeof pattern === 'string' && isExpression(pattern) && { pattern }),
    // Draft 3 had a boolean here.
    ...(required !== undefined && typeof required !== 'boolean' && { required }),
  };
}

function isExpression(source: string): boolean {
  return withFallback(() => new RegExp(source), undefined) !== undefined;
}

/** References to other documents. They are never fetched. */
function outsideReferences(schema: JsonSchema, root: JsonSchema): readonly string[] {
  const problems: string[] = [];
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = schema[keyword];
    if (target !== undefined && !(typeof target === 'string' && isWithin(target, root))) {
      problems.push(`${keyword} refers to another document`);
    }
  }
  mapSchemas(schema, (part) => {
    problems.push(...outsideReferences(part, root));
    return part;
  });
  return problems;
}

function isWithin(target: string, { $id }: JsonSchema): boolean {
  return target.startsWith('#') || (typeof $id === 'string' && target.startsWith(`${$id}#`));
}

/** A copy of a record without some keys. */
export function withoutKeys<Of extends object, Key extends string>(
  record: Of,
  ...keys: readonly Key[]
): Omit<Of, Key> {
  const left: readonly string[] = keys;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !left.includes(key))) as Omit<
    Of,
    Key
  >;
}
