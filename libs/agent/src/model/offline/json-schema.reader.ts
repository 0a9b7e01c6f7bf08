import { isJsonObject } from '../../message';
import { resolveRef } from '../../schema';
import type { JsonSchema } from '../../tool';

/** One parameter of a tool, with its references resolved and `null` ignored. */
export interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export function parametersOf(schema: JsonSchema, root: JsonSchema = schema): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: simplify(property, root),
    isRequired: schema.required?.includes(name) === true,
  }));
}

/** Follows `$ref` and takes the first alternative that is not `null`. */
export function simplify(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  if (depth > 8) return {};
  const { anyOf, oneOf, ...own } = resolveRef(schema, root);
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return own;
  const schemas = (alternatives as unknown[]).filter(isJsonObject) as JsonSchema[];
  const constants = schemas.flatMap((one) => ('const' in one ? [one['const']] : []));
  if (constants.length === schemas.length && constants.length > 0) {
    return { ...own, enum: constants as JsonSchema['enum'] };
  }
  const first = schemas.find((one) => one.type !== 'null');
  return first === undefined ? own : simplify({ ...own, ...first }, root, depth + 1);
}

export function typeOf(schema: JsonSchema): string | undefined {
  if (typeof schema.type === 'string') return schema.type;
  const type = schema.type?.find((one) => one !== 'null');
  if (type !== undefined) return type;
  if (schema.enum !== undefined) return typeof schema.enum[0];
  return schema.properties === undefined ? undefined : 'object';
}
