import { jsonOf } from '../wire';
import type { JsonObject, JsonSchema, JsonValue } from './protocol';

/** How a field is filled in. */
export type FieldKind = 'text' | 'secret' | 'number' | 'boolean' | 'choice' | 'json';

/** One argument in the form. */
export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly isRequired: boolean;
  /** Of a choice: each value as JSON. */
  readonly choices: readonly string[];
}

/** The typed texts by argument; an empty field is not sent. */
export type Typed = ReadonlyMap<string, string>;

export function fieldsOf(schema: JsonSchema): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const part = typeof property === 'object' ? property : {};
    return {
      name,
      kind: kindOf(part),
      description: typeof part.description === 'string' ? part.description : '',
      isRequired: required.has(name),
      choices: (part.enum ?? []).map((value) => JSON.stringify(value)),
    };
  });
}

function kindOf({ type, enum: values, ...rest }: JsonSchema): FieldKind {
  const [only, ...others] = [type].flat().filter((each) => each !== 'null');
  if (Array.isArray(values)) return 'choice';
  if (others.length > 0) return 'json';
  switch (only) {
    case 'string':
      return rest['writeOnly'] === true ? 'secret' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}

/** The arguments as texts in the form. */
export function typedOf(input: JsonObject, fields: readonly FormField[]): Typed {
  return new Map(
    fields.flatMap(({ name, kind }): [string, string][] => {
      if (!Object.hasOwn(input, name)) return [];
      const value = input[name] as JsonValue;
      const isText = (kind === 'text' || kind === 'secret') && typeof value === 'string';
      return [[name, isText ? value : JSON.stringify(value, null, kind === 'json' ? 2 : 0)]];
    }),
  );
}

/** The arguments, or the field that cannot be read. By entries: `__proto__` is a name as any other. */
export function inputOf(
  typed: Typed,
  fields: readonly FormField[],
): { readonly input: JsonObject } | { readonly wrong: string } {
  const entries: [string, JsonValue][] = [];
  for (const { name, kind } of fields) {
    const text = typed.get(name) ?? '';
    if (text === '') continue;
    if (kind === 'text' || kind === 'secret') {
      entries.push([name, text]);
      continue;
    }
    const value = jsonOf(text) as JsonValue | undefined;
    if (value === undefined) return { wrong: name };
    entries.push([name, value]);
  }
  return { input: Object.fromEntries(entries) };
}

export function objectOf(text: string): JsonObject | undefined {
  const value = jsonOf(text.trim() === '' ? '{}' : text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}
