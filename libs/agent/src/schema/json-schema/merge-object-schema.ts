import { freeName } from '../../internal';
import type { JsonSchema } from '../../tool';
import { only, sameJson, without } from './combine';
import { mapSchemas } from './map-schemas';
import { resolveRef } from './json-pointer';

/** One parameter of a method, or one place of a route, as the model sees it. */
export interface ParameterSchema {
  readonly name: string;
  /** Its place in the method's parameter list. */
  readonly index: number;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The type of its value: a class, a primitive, a list of one, a Standard Schema. */
  readonly type?: unknown;
}

/**
 * One object schema of several parameters. Definitions move to its root; different ones of the same
 * name are renamed.
 */
export function mergeObjectSchema(
  title: string | undefined,
  parts: readonly ParameterSchema[],
): JsonSchema {
  const defs = new Map<string, JsonSchema>();
  const properties: Record<string, JsonSchema> = {};
  for (const { name, schema } of parts) properties[name] = hoisted(schema, name, defs);
  const required = parts.filter((part) => part.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(title !== undefined && { title }),
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(defs.size > 0 && { $defs: Object.fromEntries(defs) }),
  };
}

/**
 * An object schema whose properties can be used without it, together with its definitions: a root that they
 * refer to becomes one of these.
 *
 * @param name the name of such a definition
 */
export function withRootDefined(schema: JsonSchema, name: string): JsonSchema {
  const defs = new Map<string, JsonSchema>();
  const own = hoisted(schema, name, defs);
  const $defs = Object.fromEntries(defs);
  return { ...resolveRef(own, { $defs }), ...(defs.size > 0 && { $defs }) };
}

const DEFINITION = /^#\/(?:\$defs|definitions)\/([^/]+)(\/.*)?$/;

/** The schema with its definitions, and its recursive root, moved to `defs`. */
function hoisted(schema: JsonSchema, place: string, defs: Map<string, JsonSchema>): JsonSchema {
  const { $defs, definitions, ...own } = schema;
  const inner = { ...(definitions as Record<string, JsonSchema> | undefined), ...$defs };
  const renamed = new Map<string, string>();
  for (const [name, definition] of Object.entries(inner)) {
    const isOther = (free: string): boolean =>
      defs.has(free) && !sameJson(defs.get(free), definition);
    renamed.set(name, freeName(name, isOther));
  }
  let isSelfReferring = false;
  const self = (): string => {
    isSelfReferring = true;
    return freeName(place, (free) => defs.has(free));
  };
  const rewrite = (part: JsonSchema): JsonSchema => {
    const rewritten = mapSchemas(part, rewrite);
    if (part.$ref === undefined) return rewritten;
    const [, name, rest = ''] = DEFINITION.exec(part.$ref) ?? [];
    if (name !== undefined)
      return { ...rewritten, $ref: `#/$defs/${renamed.get(name) ?? name}${rest}` };
    return part.$ref.startsWith('#')
      ? { ...rewritten, $ref: `#/$defs/${self()}${part.$ref.slice(1)}` }
      : rewritten;
  };
  const moved = rewrite(own);
  let twin: string | undefined;
  for (const [name, definition] of Object.entries(inner)) {
    const free = renamed.get(name) ?? name;
    const rewritten = rewrite(definition);
    defs.set(free, rewritten);
    if (sameJson(without(rewritten, ...NOTES), without(moved, ...NOTES))) twin = free;
  }
  // A recursive class is both the root and a definition.
  if (twin !== undefined) return { $ref: `#/$defs/${twin}`, ...only(moved, ...NOTES) };
  if (!isSelfReferring) return moved;
  const name = self();
  defs.set(name, moved);
  return { $ref: `#/$defs/${name}` };
}

/** The annotations that a parameter adds to its class. */
const NOTES = ['description', 'default', 'examples', 'writeOnly'];
