import { freeName, getOrAdd } from '../../internal';
import { type AnyClass, type ApiProperty, isClass, type TypeTemplate } from '../metadata';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import {
  apiSchema,
  type Discriminator,
  isRequired,
  propertySchema,
  type TypeSchemas,
} from './property';
import { isUndecorated, propertiesOf, type PropertyFacts } from './class-properties';
import {
  closeObjects,
  combine,
  type Direction,
  formProblems,
  mapSchemas,
  NOTHING,
  united,
  without,
  withoutFormer,
} from '../json-schema';
import { filled } from './described-type';
import type { SchemaOptions } from './schema-source';
import { jsonSchemaOf, standardSchemaOf } from './standard-schema';
import { builtinSchema } from './type-schema';

const DEFINITIONS = '#/$defs/';

interface Definition {
  readonly name: string;
  schema: JsonSchema;
  uses: number;
  /** Refers to other classes, or itself. */
  refers: boolean;
}

// A class that reaches no other has one schema wherever it is used. Its properties are read once,
// so they stand for the class in one direction and with the same options.
const leaves = new WeakMap<readonly PropertyFacts[], JsonSchema>();

/** A property whose value selects one of several classes. */
interface Tag {
  readonly property: string;
  readonly value: string;
}

/**
 * Builds the schema of a class and of all the classes it reaches, each once, distinguished by identity
 * instead of name.
 */
export class ClassSchemaBuilder implements TypeSchemas {
  private readonly definitions = new Map<AnyClass, Map<string, Definition>>();
  private readonly names = new Map<string, Definition>();
  private references = 0;
  private place = '';

  constructor(
    readonly direction: Direction,
    private readonly options: SchemaOptions = {},
  ) {}

  /** The schema of a type, with the referenced classes under `$defs`. */
  build(type: unknown): JsonSchema {
    this.place = typeof type === 'function' ? type.name : String(type);
    const root = this.typeSchema(type);
    return this.finish(root);
  }

  /** The schema that OpenAPI metadata gives, with the classes that it names. */
  buildDescribed(api: ApiProperty): JsonSchema {
    this.place = 'OpenAPI metadata';
    return this.finish(apiSchema(api, this));
  }

  /** The schema of a type that the compiler plugin has described. */
  buildTemplate(template: TypeTemplate): JsonSchema {
    this.place = 'a described type';
    return this.finish(this.describedSchema(template));
  }

  typeSchema(type: unknown): JsonSchema {
    const builtin = builtinSchema(type, this.direction, this.place);
    if (builtin) return builtin;
    const standard = standardSchemaOf(type);
    if (standard) return embedded(jsonSchemaOf(standard, this.direction));
    if (!isClass(type)) return {};
    return this.reference(type);
  }

  sourceSchema(source: unknown): JsonSchema {
    if (Array.isArray(source))
      return { type: 'array', items: this.sourceSchema((source as readonly unknown[])[0] ?? {}) };
    if (typeof source === 'function' || standardSchemaOf(source)) return this.typeSchema(source);
    const problems = formProblems(source, 'schema');
    if (problems.length > 0)
      throw new ToolDeclarationError(`${this.place}: not a JSON Schema: ${problems.join('; ')}.`);
    const schema = source as JsonSchema;
    return embedded(this.direction === 'input' ? closeObjects(schema) : schema);
  }

  describedSchema(template: TypeTemplate): JsonSchema {
    const own = this.direction === 'input' ? closeObjects(template) : template;
    const { $defs, ...root } = own as JsonSchema;
    if ($defs === undefined) return filled(root, (type) => this.typeSchema(type));
    const renamed = new Map<string, Definition>();
    for (const name of Object.keys($defs)) {
      const definition = { name: this.freeName(name), schema: {}, uses: 2, refers: true };
      renamed.set(DEFINITIONS + name, definition);
      this.names.set(definition.name, definition);
      this.references += 1;
    }
    const named = (part: JsonSchema): JsonSchema => {
      const target = renamed.get(part.$ref ?? '');
      const inside = mapSchemas(part, named);
      return target ? { ...inside, $ref: DEFINITIONS + target.name } : inside;
    };
    const made = (part: JsonSchema): JsonSchema =>
      filled(named(part), (type) => this.typeSchema(type));
    for (const [name, definition] of Object.entries($defs)) {
      const target = renamed.get(DEFINITIONS + name);
      if (target) target.schema = made(definition);
    }
    return made(root);
  }

  unionSchema({ property, subTypes }: Discriminator): JsonSchema {
    return {
      anyOf: subTypes.map(({ value, name }) => this.reference(value, { property, value: name })),
    };
  }

  private reference(type: AnyClass, tag?: Tag): JsonSchema {
    const variants = getOrAdd(this.definitions, type, () => new Map<string, Definition>());
    const key = tag ? `${tag.property}=${tag.value}` : '';
    let definition = variants.get(key);
    if (!definition) {
      definition = { name: this.freeName(type.name), schema: {}, uses: 0, refers: false };
      variants.set(key, definition);
      this.names.set(definition.name, definition);
      // Filled after it is known by name, so that a class may reach itself.
      this.fill(definition, type, tag);
    }
    definition.uses += 1;
    this.references += 1;
    return { $ref: DEFINITIONS + definition.name };
  }

  private fill(definition: Definition, type: AnyClass, tag: Tag | undefined): void {
    const facts = propertiesOf(type, this.direction, this.options);
    const leaf = tag ? undefined : leaves.get(facts);
    if (leaf) {
      definition.schema = leaf;
      return;
    }
    const before = this.references;
    definition.schema = this.objectSchema(type, facts, tag);
    definition.refers = this.references > before;
    if (!definition.refers && !tag) leaves.set(facts, definition.schema);
  }

  private objectSchema(
    type: AnyClass,
    declared: readonly PropertyFacts[],
    tag: Tag | undefined,
  ): JsonSchema {
    // A map, for `__proto__` is a name like any other.
    const properties = new Map<string, JsonSchema>();
    const required = new Set<string>();
    const outer = this.place;
    for (const facts of declared) {
      this.place = `${type.name}.${facts.property}`;
      const { name } = facts.transform;
      const present = properties.get(name);
      const own = propertySchema(facts, this);
      // Two properties of one name on the wire take the same value.
      properties.set(name, present ? combine(present, own) : own);
      const isRenamed = this.direction === 'output' && name !== facts.property;
      if (isRequired(facts) && !isRenamed) required.add(name);
    }
    this.place = outer;
    if (tag) {
      const own: JsonSchema = { type: 'string', enum: [tag.value] };
      const present = properties.get(tag.property);
      const both = present ? combine(present, own) : own;
      // The class's own values of the tag take precedence.
      properties.set(tag.property, both === NOTHING && present ? present : both);
      required.add(tag.property);
    }
    const schema: Record<string, unknown> = { type: 'object' };
    if (type.name !== '') schema.title = type.name;
    schema.properties = Object.fromEntries(properties);
    if (required.size > 0) schema.required = [...required];
    if (this.direction === 'input') schema.additionalProperties = isUndecorated(type);
    return schema;
  }

  private freeName(wanted: string): string {
    return freeName(wanted.replace(/\W/g, '_') || 'Anonymous', (name) => this.names.has(name));
  }

  /** Puts a class that is used once in its place; the rest goes under `$defs`. */
  private finish(root: JsonSchema): JsonSchema {
    const kept = new Map<string, JsonSchema>();
    const inside = (part: JsonSchema): JsonSchema => place(part, false);
    const placed = ({ schema, refers }: Definition): JsonSchema =>
      refers ? mapSchemas(schema, inside) : schema;
    const place = (schema: JsonSchema, isRoot: boolean): JsonSchema => {
      const name = schema.$ref?.slice(DEFINITIONS.length);
      const definition = name === undefined ? undefined : this.names.get(name);
      if (!definition) return mapSchemas(schema, inside);
      if (definition.uses > 1 && !kept.has(definition.name)) {
        kept.set(definition.name, {});
        kept.set(definition.name, placed(definition));
      }
      // A root has to be an object itself, not a reference to one.
      if (definition.uses === 1 || isRoot)
        return beside(mapSchemas(schema, inside), placed(definition));
      if (schema.properties === undefined) return mapSchemas(schema, inside);
      return { $ref: DEFINITIONS + extended(schema, definition) };
    };
    const extensions = new Map<string, string>();
    /** The name of a class with the properties beside a reference to it, which may contain that reference. */
    const extended = (reference: JsonSchema, definition: Definition): string => {
      const key = JSON.stringify(reference);
      const known = extensions.get(key);
      if (known !== undefined) return known;
      const name = this.freeName(definition.name);
      this.names.set(name, definition);
      extensions.set(key, name);
      kept.set(name, {});
      kept.set(name, beside(mapSchemas(reference, inside), placed(definition)));
      return name;
    };
    const whole = { ...place(root, true), $defs: Object.fromEntries(kept) };
    const { $defs, ...schema } = withoutFormer(whole, whole);
    if (kept.size === 0) return schema;
    const referred = JSON.stringify([schema, Object.values($defs)]);
    const defs = Object.entries($defs).filter(([name]) =>
      referred.includes(`"${DEFINITIONS}${name}"`),
    );
    return defs.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
  }
}

/** A library's schema inside ours, with its references resolved: they start at its own root. */
function embedded(schema: JsonSchema): JsonSchema {
  const own = without(schema, '$schema');
  return JSON.stringify(own).includes('"$ref"')
    ? { type: 'object', additionalProperties: true }
    : own;
}

/** The target of a reference, with the keywords beside the reference. A class that takes any property still does. */
function beside(reference: JsonSchema, schema: JsonSchema): JsonSchema {
  if (Object.keys(reference).length === 1) return schema;
  const both = united(schema, without(reference, '$ref'));
  return schema.additionalProperties === true ? { ...both, additionalProperties: true } : both;
}
