import type { JsonSchema } from '../../tool';
import type { AnyClass, TypeTemplate } from '../metadata';
import { mapSchemas, withNote } from '../json-schema';
import type { SchemaSource, SchemaType } from './schema-source';

/** A type that the compiler plugin has described, where no class stands for it. */
export class DescribedType {
  constructor(readonly template: TypeTemplate) {}
}

// One description, one source: schemas and checks are kept by it.
const sources = new WeakMap<TypeTemplate, SchemaSource>();

/** A template as a source of schemas: its class, a list of one, or the description itself. */
export function sourceOfTemplate(template: TypeTemplate): SchemaSource {
  let source = sources.get(template);
  if (!source) sources.set(template, (source = makeSource(template)));
  return source;
}

function makeSource(template: TypeTemplate): SchemaSource {
  const keywords = Object.keys(template);
  const { $of, type, items } = template;
  if (typeof $of === 'function' && keywords.length === 1) return typeIn($of);
  const isList = type === 'array' && keywords.length === 2 && isTemplate(items);
  if (isList && typeof items.$of === 'function' && Object.keys(items).length === 1)
    return [typeIn(items.$of)];
  return new DescribedType(template) as unknown as SchemaSource;
}

/** A class of an application, which may be made. */
function typeIn(named: () => AnyClass): SchemaType {
  return named() as SchemaType;
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
  if (typeof $of === 'function') return $of();
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
  if (template.$of !== undefined) return true;
  let found = false;
  mapSchemas(template, (part) => {
    found ||= converts(part);
    return part;
  });
  return found;
}

/** The template with schemas in place of `$of`. */
export function filled(
  template: TypeTemplate,
  typeSchema: (type: unknown) => JsonSchema,
): JsonSchema {
  const { $of, ...own } = template;
  const rest = mapSchemas(own, (part) => filled(part, typeSchema));
  switch ($of) {
    case undefined:
    case 'map':
    case 'set':
      return rest;
    case 'date':
      return beside(typeSchema(Date), rest);
    case 'bigint':
      return beside(typeSchema(BigInt), rest);
    default:
      return { ...typeSchema($of()), ...rest };
  }
}

/** The type's own note stays beside the author's description. */
function beside({ description: note, ...schema }: JsonSchema, rest: JsonSchema): JsonSchema {
  return withNote({ ...schema, ...rest }, note);
}
