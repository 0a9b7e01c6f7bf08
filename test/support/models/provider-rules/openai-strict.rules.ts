import type { JsonSchema } from 'nestjs-agent/types';
import { partsOf, type SchemaPart } from './schema-parts';

const TYPES = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'];
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'format'],
  number: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  integer: ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
};
const FORMATS = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
];

/**
 * Where a schema breaks the rules of strict mode.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function openAiStrictViolations(schema: JsonSchema): readonly string[] {
  const parts = [...partsOf(schema)];
  return [...parts.flatMap((part) => partViolations(part, schema)), ...sizeViolations(parts)];
}

/** A part, as far as strict mode knows keywords. */
interface StrictPart extends JsonSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
}

function partViolations({ path, schema }: SchemaPart, root: JsonSchema): readonly string[] {
  const part: StrictPart = schema;
  const keywords = Object.keys(part).filter((one) => !/^(?:title|description|\$defs)$/.test(one));
  const violations: string[] = [];
  const report = (what: string): void => void violations.push(`${path}: ${what}`);
  if (part.$defs !== undefined && schema !== root) report('$defs below the root');
  if (part.$ref !== undefined) {
    // "$ref cannot have keywords {'description'}": https://github.com/camel-ai/camel/issues/3001
    if (Object.keys(part).length > 1) report('$ref has keywords beside it');
    const [, name] = /^#\/\$defs\/([^/]+)$/.exec(part.$ref) ?? [];
    if (part.$ref !== '#' && !root.$defs?.[name ?? '']) report(`unknown reference ${part.$ref}`);
    return violations;
  }
  if (part.anyOf !== undefined) {
    if (keywords.length > 1) report('keywords beside anyOf');
    return violations;
  }
  const types = [part.type].flat();
  if (!types.every((type) => TYPES.includes(type ?? ''))) report("must have a 'type' key");
  const [type = 'null', second] = types.filter((one) => one !== 'null');
  if (second !== undefined) report('several types; anyOf is the documented union');
  for (const keyword of keywords)
    if (!['type', 'enum', 'const', ...(KEYWORDS[type] ?? [])].includes(keyword))
      report(`'${keyword}' is not permitted`);
  if (part.format !== undefined && !FORMATS.includes(part.format))
    report(`'${part.format}' is not a valid format`);
  if (/\(\?[=!<]|\\[1-9]/.test(part.pattern?.replaceAll('\\\\', '') ?? ''))
    report('regex lookaround or back-reference is not supported');
  for (const value of part.enum ?? [])
    if (typeof value !== (type === 'integer' ? 'number' : type))
      report(`enum value ${JSON.stringify(value)} does not validate against its type`);
  if (type === 'object') {
    const names = Object.keys(part.properties ?? {});
    if (part.additionalProperties !== false) report('additionalProperties must be false');
    if (names.join() !== (part.required ?? []).join()) report('required must name every key');
  }
  return violations;
}

function sizeViolations(parts: readonly SchemaPart[]): readonly string[] {
  const violations: string[] = [];
  const names = parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  const definitions = parts.flatMap(({ schema }) => Object.keys(schema.$defs ?? {}));
  const enums = parts.flatMap(({ schema }) => (schema.enum ? [schema.enum.map(String)] : []));
  const consts = parts.flatMap(({ schema }) => ('const' in schema ? [String(schema.const)] : []));
  if (names.length > 5_000) violations.push('more than 5000 properties');
  if (parts.some(({ depth }) => depth > 11)) violations.push('more than 10 levels of nesting');
  if (enums.flat().length > 1_000) violations.push('more than 1000 enum values');
  if ([...names, ...definitions, ...enums.flat(), ...consts].join('').length > 120_000)
    violations.push('names and values of more than 120,000 characters');
  if (enums.some((values) => values.length > 250 && values.join('').length > 15_000))
    violations.push('an enum of more than 250 values and 15,000 characters');
  return violations;
}
