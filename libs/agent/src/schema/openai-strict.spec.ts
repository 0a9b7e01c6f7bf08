import { Ajv2020 } from 'ajv/dist/2020';
import { CLASS_CASES, CreateUserDto } from './fixtures/class.cases';
import { COLLECTION_CASES } from './fixtures/collection.cases';
import { STRING_CASES } from './fixtures/string.cases';
import { VALUE_CASES } from './fixtures/value.cases';
import { schemaOf, SchemaValidator, strictSchemaOf } from './index';
import type { JsonSchema } from '../tool';
import { resolveRef } from './resolve-ref';

const FORBIDDEN = [
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'minLength',
  'maxLength',
  'contains',
  'default',
  'examples',
];

function everyObject(value: unknown, visit: (schema: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const member of Object.values(value)) everyObject(member, visit);
}

describe('strictSchemaOf', () => {
  it('requires every property, and lets what was optional be null', () => {
    const strict = strictSchemaOf(schemaOf(CreateUserDto));
    expect(strict).toMatchObject({
      schema: {
        required: ['email', 'name', 'age', 'role', 'address', 'more'],
        properties: {
          age: { type: ['integer', 'null'] },
          role: { enum: ['admin', 'member', null] },
        },
      },
    });
  });

  it('says why a schema is not eligible', () => {
    const free: JsonSchema = {
      type: 'object',
      properties: { any: {} },
      additionalProperties: false,
    };
    expect(strictSchemaOf(free)).toEqual({
      reason: '/any: any value would do, and strict mode wants a type',
    });
    expect(strictSchemaOf({ type: 'object' })).toEqual({
      reason: 'its keys are not known beforehand',
    });
    expect(strictSchemaOf({ type: 'array' })).toEqual({ reason: 'its root is no plain object' });
  });

  it('follows the documented rules for every DTO it takes, and takes back what it made optional', () => {
    let eligible = 0;
    for (const { type, accept, groups = [] } of [
      ...STRING_CASES,
      ...VALUE_CASES,
      ...COLLECTION_CASES,
      ...CLASS_CASES,
    ]) {
      const schema = schemaOf(type, { groups });
      const strict = strictSchemaOf(schema);
      if ('reason' in strict) {
        expect(strict.reason).not.toBe('');
        continue;
      }
      eligible += 1;
      everyObject(strict.schema, (one) => {
        if (one.type === 'object') {
          expect(one.additionalProperties).toBe(false);
          expect(one.required).toEqual(Object.keys(one.properties as object));
        }
      });
      const text = JSON.stringify(strict.schema);
      for (const keyword of FORBIDDEN) expect(text).not.toContain(`"${keyword}":`);
      const standard = new Ajv2020({ strict: false, validateFormats: false }).compile(
        strict.schema,
      );
      for (const value of accept) {
        // A discriminator's branches are told apart by their tag, which this helper does not read.
        if (text.includes('"circle"')) continue;
        const whole = filled(value, strict.schema);
        expect([text, whole, standard(whole)]).toEqual([text, whole, true]);
        expect([whole, new SchemaValidator(schema).check(whole)]).toEqual([whole, []]);
      }
    }
    expect(eligible).toBeGreaterThan(100);
  });
});

/** As a model in strict mode writes it: what is left out is null, at every depth. */
function filled(value: unknown, part: JsonSchema, root: JsonSchema = part): unknown {
  const resolved = resolveRef(part, root);
  const [branch] = (resolved.anyOf as JsonSchema[] | undefined) ?? [];
  const schema = branch && !resolved.properties ? resolveRef(branch, root) : resolved;
  if (Array.isArray(value))
    return value.map((item) => filled(item, schema.items as JsonSchema, root));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, property]) => [
      key,
      Object.hasOwn(given, key) ? filled(given[key], property, root) : null,
    ]),
  );
}
