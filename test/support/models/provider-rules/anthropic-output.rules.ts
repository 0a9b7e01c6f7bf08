import type { JsonSchema } from 'nestjs-agent/types';
import { partsOf } from './schema-parts';

const KEYWORDS = [
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'format',
  'minItems',
];
const FORMATS = /^(?:date-time|time|date|duration|email|hostname|uri|ipv4|ipv6|uuid)$/;

/**
 * Where the schema of a bound answer breaks Anthropic's rules. Patterns are left out altogether:
 * which of them are simple enough is not documented to the letter.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
export function anthropicOutputViolations(schema: JsonSchema): readonly string[] {
  const parts = [...partsOf(schema)];
  const violations = parts.flatMap(({ path, schema: part }) => {
    const found = Object.keys(part)
      .filter((keyword) => !KEYWORDS.includes(keyword))
      .map((keyword) => `${path}: ${keyword}`);
    if ([part.type].flat().includes('object') && part.additionalProperties !== false)
      found.push(`${path}: additionalProperties must be false`);
    const { format, minItems } = part as { readonly format?: string; readonly minItems?: number };
    if (format !== undefined && !FORMATS.test(format)) found.push(`${path}: format ${format}`);
    if (minItems !== undefined && minItems > 1) found.push(`${path}: minItems ${minItems}`);
    if (part.enum?.some((value) => typeof value === 'object' && value !== null))
      found.push(`${path}: an enum of complex values`);
    return found;
  });
  const optional = parts.flatMap(({ schema: { properties = {}, required = [] } }) =>
    Object.keys(properties).filter((name) => !required.includes(name)),
  );
  const unions = parts.filter(
    ({ schema: part }) => part.anyOf !== undefined || Array.isArray(part.type),
  );
  if (optional.length > 24) violations.push('more than 24 optional parameters');
  if (unions.length > 16) violations.push('more than 16 parameters with union types');
  if (reaches(schema, schema, [])) violations.push('a recursive schema');
  return violations;
}

function reaches(part: JsonSchema, root: JsonSchema, open: readonly string[]): boolean {
  return [...partsOf(part)].some(({ schema: { $ref }, path }) => {
    if ($ref === undefined || (part === root && path.startsWith('/$defs'))) return false;
    const target = $ref === '#' ? undefined : root.$defs?.[$ref.replace('#/$defs/', '')];
    return target === undefined || open.includes($ref) || reaches(target, root, [...open, $ref]);
  });
}
