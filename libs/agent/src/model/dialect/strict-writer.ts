import type { JsonValue } from '../../message';
import { acceptsNull, pointer, resolveRef, typesOf, withNote } from '../../schema';
import type { JsonSchema } from '../../tool';
import { inWords } from './keyword-words';
import type { SchemaSize, StrictDialect } from './strict-dialect';

/** Why a schema has no strict form, and which part of it. */
export class StrictRefusal extends Error {
  constructor(place: string, reason: string) {
    super(place === '' ? reason : `${place}: ${reason}`);
  }
}

/** The position of a part in a schema. */
interface Place {
  readonly path: string;
  /** The number of objects and lists around it. */
  readonly depth: number;
}

/** The keywords about a value's structure; the dialect decides about all others. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  '$ref',
]);
const NAMES: ReadonlySet<string> = new Set(['title', 'description', '$defs']);

const NOTHING = 'no value fits';
const ANYTHING = 'any value would do, and it wants a type';

const ABOUT_NUMBERS = /^(?:exclusive)?(?:minimum|maximum)$|^multipleOf$/i;
const ABOUT: Readonly<Record<string, RegExp>> = {
  string: /^(?:pattern|format)$/,
  number: ABOUT_NUMBERS,
  integer: ABOUT_NUMBERS,
  array: /^(?:min|max)Items$/,
};

/** Writes one schema in a dialect, and counts its parts. */
export class StrictWriter {
  readonly size = {
    names: [] as string[],
    properties: 0,
    optionalProperties: 0,
    unions: 0,
    enums: [] as (readonly JsonValue[])[],
    depth: 0,
  } satisfies SchemaSize;

  constructor(
    private readonly root: JsonSchema,
    private readonly dialect: StrictDialect,
  ) {}

  /** @throws StrictRefusal */
  writeRoot(): JsonSchema {
    const written = this.write(this.root, { path: '', depth: 0 });
    const definitions = Object.entries(this.root.$defs ?? {});
    if (definitions.length === 0) return written;
    const $defs = definitions.map(([name, definition]) => {
      this.size.names.push(name);
      return [name, this.write(definition, { path: `/$defs/${name}`, depth: 0 })] as const;
    });
    return { ...written, $defs: Object.fromEntries($defs) };
  }

  private write(part: JsonSchema | boolean, place: Place): JsonSchema {
    if (typeof part === 'boolean') return refuse(place, ANYTHING);
    if (JSON.stringify(part.not) === '{}') return refuse(place, NOTHING);
    const kept: Record<string, unknown> = {};
    const notes: string[] = [];
    for (const keyword in part) {
      if (STRUCTURE.has(keyword) || NAMES.has(keyword)) continue;
      const value = part[keyword];
      if (this.dialect.takes(keyword, value)) kept[keyword] = value;
      else notes.push(inWords(keyword, value) ?? refuse(place, `"${keyword}" is not known to it`));
    }
    const shape = this.shapeOf(part, kept, place);
    const { title, description } = part;
    const annotations = withNote(
      { ...(title !== undefined && { title }), ...(description !== undefined && { description }) },
      ...notes,
    );
    if (Object.keys(annotations).length === 0) return shape;
    // No keyword may stand beside a reference.
    return { ...annotations, ...(shape.$ref === undefined ? shape : { anyOf: [shape] }) };
  }

  private shapeOf(part: JsonSchema, kept: JsonSchema, place: Place): JsonSchema {
    const alone = ['$ref', 'anyOf', 'oneOf'].find((keyword) => keyword in part);
    if (alone === undefined) return this.typed(part, kept, place);
    const others = Object.keys(part).filter((keyword) => STRUCTURE.has(keyword) || keyword in kept);
    if (others.length > 1) return refuse(place, `"${alone}" stands beside other keywords`);
    if (alone === '$ref') return this.reference(String(part.$ref), place);
    this.size.unions += 1;
    // A value that fits several branches passes here; the check of the arguments counts them for
    // `oneOf`.
    const branches = part[alone] as readonly JsonSchema[];
    return { anyOf: branches.map((branch) => this.write(branch, place)) };
  }

  private reference($ref: string, place: Place): JsonSchema {
    const [, name] = /^#\/\$defs\/([^/]+)$/.exec($ref) ?? [];
    const isKnown = name === undefined ? $ref === '#' : Object.hasOwn(this.root.$defs ?? {}, name);
    return isKnown ? { $ref } : refuse(place, `${$ref} is no definition`);
  }

  /** A part of one type, of one type or null, or a union of one branch for each type. */
  private typed(part: JsonSchema, kept: JsonSchema, place: Place): JsonSchema {
    const values = part.const === undefined ? part.enum : [part.const as JsonValue];
    const types = typesOf(part.type ?? values?.map(typeOfValue));
    if (types.length === 0) return refuse(place, ANYTHING);
    const branches = [...new Set(types)].flatMap((type) => {
      const own = values?.filter((value) => fitsType(value, type));
      if (own?.length === 0) return [];
      return [this.ofType(type, part, kept, own, place)];
    });
    const [first, second] = branches;
    if (first === undefined) return refuse(place, NOTHING);
    if (second === undefined) return first;
    this.size.unions += 1;
    const isPlainNullable = branches.length === 2 && values === undefined && types.includes('null');
    return isPlainNullable
      ? { ...(first.type === 'null' ? second : first), type: types }
      : { anyOf: branches };
  }

  private ofType(
    type: string,
    part: JsonSchema,
    kept: JsonSchema,
    values: readonly JsonValue[] | undefined,
    place: Place,
  ): JsonSchema {
    if (values !== undefined && type !== 'null') {
      if (type === 'object' || type === 'array')
        return refuse(place, 'its values are objects or lists');
      this.size.enums.push(values);
      return { type, enum: values };
    }
    const about = Object.entries(kept).filter(([keyword]) => ABOUT[type]?.test(keyword));
    const own = { type, ...Object.fromEntries(about) };
    if (type === 'object') return { ...own, ...this.object(part, this.inside(place)) };
    if (type !== 'array') return own;
    if (typeof part.items !== 'object')
      return refuse(place, 'a list of anything, and it wants the type of its items');
    return { ...own, items: this.write(part.items, this.inside(place)) };
  }

  private object(part: JsonSchema, place: Place): JsonSchema {
    if (part.additionalProperties !== false)
      return refuse(place, 'its keys are not known beforehand');
    const required = new Set(part.required ?? []);
    const properties = Object.entries(part.properties ?? {}).map(([name, property]) => {
      const at = { ...place, path: pointer(place.path, name) };
      this.size.names.push(name);
      this.size.properties += 1;
      const written = this.write(property, at);
      if (required.has(name)) return [name, written] as const;
      this.size.optionalProperties += 1;
      if (!this.dialect.requiresAll) return [name, written] as const;
      if (acceptsNull(resolveRef(property, this.root)))
        return refuse(at, 'null is a value there, so nothing can say "not given"');
      return [name, orNull(written)] as const;
    });
    const names = properties.map(([name]) => name);
    return {
      properties: Object.fromEntries(properties),
      required: names.filter((name) => this.dialect.requiresAll || required.has(name)),
      additionalProperties: false,
    };
  }

  private inside({ path, depth }: Place): Place {
    this.size.depth = Math.max(this.size.depth, depth + 1);
    return { path, depth: depth + 1 };
  }
}

function refuse({ path }: Place, reason: string): never {
  throw new StrictRefusal(path, reason);
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fitsType(value: JsonValue, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOfValue(value) === type;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { title, description, ...shape } = schema;
  if (typeof shape.type === 'string' && shape.enum === undefined)
    return { ...schema, type: [shape.type, 'null'] };
  const branches = (shape.anyOf as readonly JsonSchema[] | undefined) ?? [shape];
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [...branches, { type: 'null' }],
  };
}
