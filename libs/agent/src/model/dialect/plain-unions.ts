import { defined, oncePer } from '../../internal';
import type { JsonValue } from '../../message';
import {
  combine,
  isSchema,
  mapSchemas,
  resolveRef,
  typesOf,
  withNote,
  without,
  withRootDefined,
} from '../../schema';
import type { JsonSchema } from '../../tool';
import { withPlainRoot } from './plain-root';

/** Keywords that may stand beside `anyOf` and `$ref`. */
const TEXTS = ['title', 'description'] as const;
const DEFINED = /^#\/\$defs\/[^/]+$/;
/** How many schemas are read, and how deep: references may lead on without end. */
const MAX_SCHEMAS = 5_000;
const MAX_DEPTH = 32;

/**
 * A tool's schema as Kimi accepts it: `anyOf` and `$ref` stand alone, references lead to `$defs`,
 * the values of an `enum` have one type, and only properties are required. It refuses every request
 * with one tool that has another schema. Computed once for each schema: definitions do not change.
 *
 * @see https://github.com/MoonshotAI/walle/blob/main/docs/walle.md
 */
export const plainUnionsOf = oncePer((schema: JsonSchema) => {
  const root = withRootDefined(withPlainRoot(schema), 'arguments');
  return new UnionWriter(root).plain(root);
});

class UnionWriter {
  /** The references whose schemas are being put in their place: these may lead back to them. */
  private readonly open = new Set<string>();
  private left = MAX_SCHEMAS;
  private depth = 0;

  constructor(private readonly root: JsonSchema) {}

  readonly plain = (schema: JsonSchema): JsonSchema => {
    if (--this.left < 0 || this.depth > MAX_DEPTH) return {};
    this.depth += 1;
    const written = this.written(schema);
    this.depth -= 1;
    return written;
  };

  private written(schema: JsonSchema): JsonSchema {
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    if ($ref !== undefined) return this.referred(schema, $ref);
    const all = schemasIn(allOf);
    if (all.length > 0) return this.plain(this.merged(without(schema, 'allOf'), ...all));
    const [branches = [], others] = [anyOf, oneOf].filter(Array.isArray);
    if (branches.length === 0) return mapSchemas(plainValues(own), this.plain);
    const { title, description, ...beside } = own;
    const shared = { ...beside, ...(others && { anyOf: others as JsonValue[] }) };
    const isAlone = Object.keys(shared).length === 0;
    return defined({
      title,
      description,
      anyOf: schemasIn(branches).map((branch) =>
        this.plain(isAlone ? branch : this.merged(shared, branch)),
      ),
    });
  }

  private referred(schema: JsonSchema, ref: string): JsonSchema {
    const beside = without(schema, '$ref');
    const isAlone = Object.keys(without(beside, ...TEXTS)).length === 0;
    if (isAlone && DEFINED.test(ref)) return schema;
    if (this.open.has(ref)) return {};
    this.open.add(ref);
    const replaced = this.plain(this.merged({ $ref: ref }, beside));
    this.open.delete(ref);
    return replaced;
  }

  /** One schema for all of them. Rules without a common form are left out. */
  private merged(...schemas: readonly JsonSchema[]): JsonSchema {
    const parts = schemas.map((part) => resolveRef(part, this.root));
    const properties = new Map<string, JsonSchema>();
    for (const [name, property] of parts.flatMap((part) => Object.entries(part.properties ?? {})))
      properties.set(name, combine(...[properties.get(name) ?? [], property].flat()));
    const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
    const inner = parts.flatMap(({ allOf }) => schemasIn(allOf));
    const whole = combine(...parts.map((part) => without(part, 'properties', 'required', 'allOf')));
    return {
      ...without(whole, 'allOf'),
      ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(inner.length > 0 && { allOf: inner }),
    };
  }
}

/** The schema of values without composed rules. */
function plainValues({ const: value, enum: list, required, ...own }: JsonSchema): JsonSchema {
  const names = required?.filter((name) => Object.hasOwn(own.properties ?? {}, name)) ?? [];
  const schema: JsonSchema = { ...own, ...(names.length > 0 && { required: names }) };
  const values = (list ?? (value === undefined ? [] : [value])) as readonly JsonValue[];
  if (values.length === 0) return schema;
  const kinds = [...new Set(values.map((each) => (each === null ? 'null' : typeof each)))];
  const [kind = 'null', ...others] = kinds.filter((each) => each !== 'null');
  if (others.length > 0 || kind === 'object' || kind === 'null') {
    return withNote(schema, `One of ${values.map((each) => JSON.stringify(each)).join(', ')}`);
  }
  const type = typesOf(own.type).includes('integer') ? 'integer' : kind;
  return { ...schema, type: kinds.includes('null') ? [type, 'null'] : type, enum: values };
}

function schemasIn(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.map((part: unknown) => (isSchema(part) ? part : {})) : [];
}
