import type { JsonSchema } from '../../tool';
import { SchemaValidator, schemaOf } from '../index';

const text: JsonSchema = { type: 'string' };
const object = (...names: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const A = { $ref: '#/$defs/A' };
const B = { $ref: '#/$defs/B' };
const $defs = { A: object('a'), B: object('b') };

/** What a user's schema takes and refuses as a tool's input. */
const CASES: readonly (readonly [
  name: string,
  schema: JsonSchema,
  takes: readonly object[],
  refuses: readonly object[],
])[] = [
  ['properties', object('a'), [{}, { a: 'x' }], [{ b: 'x' }]],
  ['what is left open', { ...object('a'), additionalProperties: true }, [{ b: 1 }], [{ a: 1 }]],
  ['nothing but a type', { type: 'object' }, [{ b: 1 }], []],
  [
    'patterns of keys',
    { ...object('a'), patternProperties: { '^x-': object('b') } },
    [{ a: 'x', 'x-1': { b: 'y' } }],
    [{ c: 1 }, { 'x-1': { c: 1 } }],
  ],
  [
    'lists, tuples and maps',
    {
      type: 'object',
      properties: {
        list: { items: object('a') },
        tuple: { prefixItems: [object('a')] },
        map: { additionalProperties: object('a') },
      },
    },
    [{ list: [{ a: 'x' }], tuple: [{ a: 'x' }], map: { k: { a: 'x' } } }],
    [{ list: [{ b: 1 }] }, { tuple: [{ b: 1 }] }, { map: { k: { b: 1 } } }],
  ],
  [
    'alternatives',
    { type: 'object', properties: { in: { anyOf: [object('a'), object('b')] } } },
    [{ in: { a: 'x' } }, { in: { b: 'x' } }],
    [{ in: { a: 'x', b: 'x' } }, { in: { c: 'x' } }],
  ],
  [
    'properties beside alternatives',
    { ...object('a'), anyOf: [object('b'), { properties: { c: object('d') } }] },
    [{ a: 'x', b: 'x' }, { c: { d: 'x' } }],
    [{ e: 1 }, { c: { e: 1 } }],
  ],
  [
    'parts',
    { type: 'object', allOf: [object('a'), { properties: { in: object('b') } }] },
    [{ a: 'x', in: { b: 'x' } }],
    [{ c: 1 }, { in: { c: 1 } }],
  ],
  [
    'parts that are definitions, which inherit so',
    { type: 'object', allOf: [A, B, object('c')], $defs },
    [{ a: 'x', b: 'x', c: 'x' }],
    [{ d: 1 }],
  ],
  [
    'a definition that is a part here and stands alone there',
    { type: 'object', properties: { alone: A, both: { allOf: [A, B] } }, $defs },
    [{ alone: { a: 'x' }, both: { a: 'x', b: 'x' } }],
    [{ alone: { b: 'x' } }, { both: { c: 'x' } }],
  ],
  [
    'properties beside a reference, by way of another name',
    {
      type: 'object',
      properties: { in: { $ref: '#/$defs/Alias', ...object('b') } },
      $defs: { Alias: A, A: object('a') },
    },
    [{ in: { a: 'x', b: 'x' } }],
    [{ in: { c: 'x' } }],
  ],
  [
    'a condition',
    {
      ...object('a', 'b'),
      if: { required: ['a'] },
      then: { ...object('c'), required: ['c'] },
    },
    [{ b: 'x' }, { a: 'x', c: 'x' }],
    [{ a: 'x' }, { b: 'x', d: 'x' }],
  ],
  ['what must not be', { ...object('a', 'b'), not: object('a') }, [], [{ a: 'x' }]],
];

describe.each(CASES)('%s', (_name, schema, takes, refuses) => {
  const validator = new SchemaValidator(schemaOf(schema));

  it('keeps what the schema knows, and refuses other keys at every depth', () => {
    for (const value of takes) expect([value, validator.check(value)]).toEqual([value, []]);
    for (const value of refuses)
      expect([value, validator.check(value).length > 0]).toEqual([value, true]);
  });
});

it.each<[string, JsonSchema]>([
  ['a text with several patterns', { type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] }],
  ['a list with several rules', { type: ['array', 'null'], allOf: [{ contains: {} }] }],
])('adds nothing to %s, which has no keys', (_name, value) => {
  const schema = { type: 'object', properties: { value }, additionalProperties: false };
  expect(schemaOf(schema)).toEqual(schema);
});
