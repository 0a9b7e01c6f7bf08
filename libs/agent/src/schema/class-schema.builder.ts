import { type AnyClass, isClass } from './class-type';
import type { JsonSchema } from '../tool';
import { propertiesOf } from './class-properties';
import { combine } from './combine';
import { mapSchemas } from './map-schemas';
import type { Direction } from './direction';
import {
  type Discriminator,
  isRequired,
  propertySchema,
  type TypeSchemas,
} from './property-schema';
import { builtinSchema } from './type-schema';

interface Definition {
  readonly name: string;
  schema: JsonSchema;
  uses: number;
}

/** A property whose value tells which of several classes is meant. */
interface Tag {
  readonly property: string;
  readonly value: string;
}

/**
 * Builds the schema of a class and of all the classes it reaches, each once, told apart by identity
 * and not by name.
 */
export class ClassSchemaBuilder implements TypeSchemas {
  private readonly definitions = new Map<AnyClass, Map<string, Definition>>();
  private readonly names = new Map<string, Definition>();
  private place = '';

  constructor(
    readonly direction: Direction,
    private readonly groups: readonly string[],
  ) {}

  /** The schema of a type, with what it refers to under `$defs`. */
  build(type: unknown): JsonSchema {
    this.place = typeof type === 'function' ? type.name : String(type);
    const root = this.typeSchema(type);
    return this.finish(root);
  }

  typeSchema(type: unknown): JsonSchema {
    const builtin = builtinSchema(type, this.direction, this.place);
    if (builtin) return builtin;
    if (!isClass(type)) return {};
    return this.reference(type);
  }

  unionSchema({ property, subTypes }: Discriminator): JsonSchema {
    return {
      anyOf: subTypes.map(({ value, name }) => this.reference(value, { property, value: name })),
    };
  }

  private reference(type: AnyClass, tag?: Tag): JsonSchema {
    const variants = this.definitions.get(type) ?? new Map<string, Definition>();
    this.definitions.set(type, variants);
    const key = tag ? `${tag.property}=${tag.value}` : '';
    let definition = variants.get(key);
    if (!definition) {
      definition = { name: this.freeName(type), schema: {}, uses: 0 };
      variants.set(key, definition);
      this.names.set(definition.name, definition);
      // Filled after it is known by name, so that a class may reach itself.
      definition.schema = this.objectSchema(type, tag);
    }
    definition.uses += 1;
    return { $ref: `#/$defs/${definition.name}` };
  }

  private objectSchema(type: AnyClass, tag: Tag | undefined): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const outer = this.place;
    for (const facts of propertiesOf(type, this.direction, this.groups)) {
      this.place = `${type.name}.${facts.property}`;
      const { name } = facts.transform;
      // `__proto__` as a name would set the prototype instead.
      Object.defineProperty(properties, name, {
        value: propertySchema(facts, this),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      const isRenamed = this.direction === 'output' && name !== facts.property;
      if (isRequired(facts) && !isRenamed) required.push(name);
    }
    this.place = outer;
    if (tag) {
      const own: JsonSchema = { type: 'string', enum: [tag.value] };
      const declared = properties[tag.property];
      properties[tag.property] = declared ? combine(declared, own) : own;
      if (!required.includes(tag.property)) required.push(tag.property);
    }
    return {
      type: 'object',
      ...(type.name !== '' && { title: type.name }),
      properties,
      ...(required.length > 0 && { required }),
      ...(this.direction === 'input' && { additionalProperties: false }),
    };
  }

  private freeName(type: AnyClass): string {
    const base = type.name.replace(/\W/g, '_') || 'Anonymous';
    let name = base;
    for (let count = 2; this.names.has(name); count++) name = `${base}_${count}`;
    return name;
  }

  /** Puts a class that is used once in its place; the rest goes under `$defs`. */
  private finish(root: JsonSchema): JsonSchema {
    const kept = new Map<string, JsonSchema>();
    const place = (schema: JsonSchema, isRoot: boolean): JsonSchema => {
      const name = schema.$ref?.slice('#/$defs/'.length);
      const definition = name === undefined ? undefined : this.names.get(name);
      if (!definition) return mapSchemas(schema, (part) => place(part, false));
      const { $ref, ...beside } = schema;
      if (definition.uses > 1 && !kept.has(definition.name)) {
        kept.set(definition.name, {});
        kept.set(definition.name, place(definition.schema, false));
      }
      // A root has to be an object itself, not a reference to one.
      if (definition.uses > 1 && !isRoot) return { ...beside, $ref };
      return { ...place(definition.schema, false), ...beside };
    };
    const placed = place(root, true);
    if (kept.size === 0) return placed;
    const referred = JSON.stringify([placed, [...kept.values()]]);
    const defs = [...kept].filter(([name]) => referred.includes(`"#/$defs/${name}"`));
    return defs.length === 0 ? placed : { ...placed, $defs: Object.fromEntries(defs) };
  }
}
