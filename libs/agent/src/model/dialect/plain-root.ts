import { resolveRef, withNote } from '../../schema';
import type { JsonSchema } from '../../tool';

/** Keywords that providers accept inside a tool's schema, but not at its top. */
const COMPOSING = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'] as const;

/**
 * The same schema with nothing but properties at its top. Composed schemas at the top become one
 * list of properties, which may accept more than the schema, and a text about the lost rules.
 */
export function withPlainRoot(schema: JsonSchema): JsonSchema {
  return isPlain(schema) ? schema : new RootFolder(schema).fold(schema);
}

function isPlain(schema: JsonSchema): boolean {
  return !COMPOSING.some((keyword) => keyword in schema);
}

/** Maximum number of branches to read: references may fan out without end. */
const MAX_BRANCHES = 256;

class RootFolder {
  private left = MAX_BRANCHES;

  constructor(private readonly root: JsonSchema) {}

  fold(schema: JsonSchema): JsonSchema {
    if (isPlain(schema)) return schema;
    const { allOf, anyOf, oneOf, not, enum: values, const: value, ...own } = schema;
    const all = this.folded(allOf);
    const choices = [this.folded(anyOf), this.folded(oneOf)];
    const properties = new Map(Object.entries(own.properties ?? {}));
    for (const part of [...all, ...choices.flat()])
      for (const [name, property] of Object.entries(part.properties ?? {}))
        properties.set(name, either(properties.get(name), property));
    const required = new Set([own, ...all].flatMap((part) => part.required ?? []));
    for (const choice of choices)
      for (const name of choice[0]?.required ?? [])
        if (choice.every((part) => part.required?.includes(name))) required.add(name);
    const { unevaluatedProperties, ...plain } = own;
    return withNote(
      {
        ...plain,
        ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
        ...(required.size > 0 && { required: [...required] }),
        ...(unevaluatedProperties === false && { additionalProperties: false }),
      },
      ...choices.map(alternatives),
      ...Object.entries({ not, enum: values, const: value }).map(([keyword, rule]) =>
        rule === undefined
          ? ''
          : `The arguments have to fit ${JSON.stringify({ [keyword]: rule })}`,
      ),
    );
  }

  /** Branches, with the branches inside them folded in. */
  private folded(branches: unknown): readonly JsonSchema[] {
    if (!Array.isArray(branches)) return [];
    return (branches as readonly (JsonSchema | boolean)[]).map((branch) =>
      typeof branch === 'boolean' || --this.left < 0
        ? {}
        : this.fold(resolveRef(branch, this.root)),
    );
  }
}

function either(known: JsonSchema | undefined, other: JsonSchema): JsonSchema {
  if (known === undefined || JSON.stringify(known) === JSON.stringify(other)) return other;
  return { anyOf: [known, other] };
}

/** The sets of arguments that belong together, if some are required in some branches only. */
function alternatives(choice: readonly JsonSchema[]): string {
  const sets = choice.map((part) => (part.required ?? []).join(', '));
  if (new Set(sets).size < 2) return '';
  return `Give one of these sets of arguments: ${sets.map((set) => `(${set})`).join(' or ')}`;
}
