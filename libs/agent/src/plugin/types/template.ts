import type * as ts from 'typescript';

/** A reference to a class in a template's `$of`, by the symbol that code can name. */
export class ClassReference {
  constructor(readonly symbol: ts.Symbol) {}

  /** For comparing templates: two classes may have one name. */
  toJSON(): string {
    const [declaration] = this.symbol.declarations ?? [];
    return `${declaration?.getSourceFile().fileName ?? ''} ${declaration?.pos ?? 0}`;
  }
}

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | ClassReference
  | readonly TemplateValue[]
  | Template;

/** A type in emitted form: a JSON Schema, with `$of` for types that JSON Schema lacks. */
export interface Template {
  readonly [keyword: string]: TemplateValue;
}

/** Why a type cannot be described. */
export class Refusal extends Error {
  /** The names that lead from the parameter to the type. */
  readonly path: string[] = [];

  constructor(
    /** The problem of the type: `is of type any, which says nothing`. */
    readonly reason: string,
    /** A better type. */
    readonly advice: string,
  ) {
    super(reason);
  }
}

/** A value of one of several types, without duplicates; `undefined` without types. */
export function alternativesOf(
  parts: readonly Template[],
  isNullable: boolean,
): Template | undefined {
  const unique = withoutDoubles(parts);
  const [first, ...more] = unique;
  if (first === undefined) return undefined;
  if (more.length === 0) return isNullable ? orNull(first) : first;
  return { anyOf: isNullable ? [...unique, { type: 'null' }] : unique };
}

/** The template with `null` accepted too. */
function orNull(template: Template): Template {
  if (Array.isArray(template.enum)) {
    const { type } = template;
    const values = template.enum as readonly TemplateValue[];
    return { ...template, type: [type, 'null'].flat(), enum: [...values, null] };
  }
  const isPlain = typeof template.type === 'string' && template.$of === undefined;
  return isPlain
    ? { ...template, type: [template.type, 'null'] }
    : { anyOf: [template, { type: 'null' }] };
}

function withoutDoubles(parts: readonly Template[]): readonly Template[] {
  if (parts.length < 2) return parts;
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}
