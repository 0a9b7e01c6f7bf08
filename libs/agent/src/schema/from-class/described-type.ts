import { oncePer } from '../../internal';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import type { TypeTemplate } from '../metadata';
import { mapSchemas, someSchema, withNote } from '../json-schema';
import type { SchemaSource, SchemaType } from './schema-source';

/** A type without a class, as described by the compiler plugin. */
export class DescribedType {
  constructor(readonly template: TypeTemplate) {}
}

/** The types that TypeScript emits for primitives. */
const PLAIN: ReadonlyMap<unknown, SchemaType> = new Map<unknown, SchemaType>([
  ['string', String],
  ['number', Number],
  ['boolean', Boolean],
]);

/**
 * A template as a source of schemas: its class, a list of one, or the description itself. One
 * description, one source: schemas and checks are kept by it.
 */
export const sourceOfTemplate = oncePer(makeSource);

function makeSource(template: TypeTemplate): SchemaSource {
  const { type, items } = template;
  const alone = typeAlone(template);
  if (alone) return alone;
  const isList = type === 'array' && Object.keys(template).length === 2 && isTemplate(items);
  const item = isList ? typeAlone(items) : undefined;
  return item ? [item] : (new DescribedType(template) as unknown as SchemaSource);
}

/** The class or built-in type of a template that contains nothing else. */
function typeAlone(template: TypeTemplate): SchemaType | undefined {
  if (Object.keys(template).length !== 1) return undefined;
  const { $of, type } = template;
  return typeof $of === 'function' ? ($of as SchemaType) : PLAIN.get(type);
}

function isTemplate(value: unknown): value is TypeTemplate {
  return typeof value === 'object' && value !== null;
}

/** The class or built-in type that a property's values become, alone, in a list, or beside null. */
export function convertedType(template: TypeTemplate | undefined): unknown {
  if (template === undefined) return undefined;
  const { $of, anyOf, items } = template;
  if (Array.isArray(anyOf)) {
    const others = (anyOf as readonly TypeTemplate[]).filter(({ type }) => type !== 'null');
    return others.length === 1 ? convertedType(others[0]) : undefined;
  }
  if (typeof $of === 'function') return $of;
  if ($of === 'map' || $of === 'set') {
    const inside = $of === 'map' ? template.additionalProperties : items;
    return converts(inside) ? undefined : $of === 'map' ? Map : Set;
  }
  if ($of === 'date') return Date;
  if ($of === 'bigint') return BigInt;
  return template.type === 'array' && isTemplate(items) ? convertedType(items) : undefined;
}

/** Whether anything in a template becomes another value than JSON's. */
export function converts(template: unknown): boolean {
  if (!isTemplate(template)) return false;
  return template.$of !== undefined || someSchema(template, converts);
}

const MISSING =
  'a class that its types name is missing at run time. Check that its module exports it as a value.';

/**
 * The template with schemas in place of `$of`.
 *
 * @throws ToolDeclarationError if a class that it names was not loaded
 */
export function filled(
  template: TypeTemplate,
  typeSchema: (type: unknown) => JsonSchema,
): JsonSchema {
  const { $of, ...own } = template;
  const rest = mapSchemas(own, (part) => filled(part, typeSchema));
  switch ($of) {
    case undefined:
      if ('$of' in template) throw new ToolDeclarationError(MISSING);
      return rest;
    case 'map':
    case 'set':
      return rest;
    case 'date':
      return beside(typeSchema(Date), rest);
    case 'bigint':
      return beside(typeSchema(BigInt), rest);
    default:
      return { ...typeSchema($of), ...rest };
  }
}

/** The type's own note stays beside the author's description. */
function beside({ description: note, ...schema }: JsonSchema, rest: JsonSchema): JsonSchema {
  return withNote({ ...schema, ...rest }, note);
}
