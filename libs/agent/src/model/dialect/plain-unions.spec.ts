import type { JsonSchema } from '../../tool';
import { plainUnionsOf } from './plain-unions';

const of = (property: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { a: property },
  ...more,
});
const NAMED: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };
const TREE: JsonSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/Tree', description: 'The next' } },
};

describe('a schema for Kimi', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'a type beside a choice',
      { type: 'string', description: 'When', anyOf: [{ format: 'date' }, { minLength: 9 }] },
      {
        description: 'When',
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', minLength: 9 },
        ],
      },
    ],
    [
      'properties beside a choice',
      { ...NAMED, oneOf: [{ required: ['name'] }, { properties: { id: { type: 'string' } } }] },
      {
        anyOf: [
          { ...NAMED, required: ['name'] },
          { type: 'object', properties: { ...NAMED.properties, id: { type: 'string' } } },
        ],
      },
    ],
    [
      'all of several',
      { allOf: [NAMED, { properties: { id: { type: 'string' } }, required: ['id'] }] },
      {
        type: 'object',
        properties: { ...NAMED.properties, id: { type: 'string' } },
        required: ['id'],
      },
    ],
    ['values without a type', { enum: ['text', 'raw'] }, { type: 'string', enum: ['text', 'raw'] }],
    ['one value', { const: 1 }, { type: 'number', enum: [1] }],
    [
      'values or null',
      { type: ['string', 'null'], enum: ['x', null] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      'values of two types, as of a ParseBoolPipe',
      { type: ['boolean', 'string'], enum: [true, 'true'] },
      { type: ['boolean', 'string'], description: 'One of true, "true"' },
    ],
    [
      'an unknown required property',
      { ...NAMED, required: ['name', 'x'] },
      { ...NAMED, required: ['name'] },
    ],
  ])('%s', (_, property, expected) => {
    expect(plainUnionsOf(of(property))).toEqual(of(expected));
  });

  it('keeps a plain reference, and puts one with rules in its place', () => {
    const $defs = { Tree: TREE, Text: { type: 'string' } };
    const rules = { $ref: '#/$defs/Text', minLength: 1, type: 'string', description: 'A name' };
    const schema = of(rules, { $defs });
    expect(plainUnionsOf(schema)).toEqual(
      of({ type: 'string', minLength: 1, description: 'A name' }, { $defs }),
    );
  });

  it('has its references lead to definitions', () => {
    const refs = {
      type: 'object',
      properties: {
        b: { $ref: '#/properties/c' },
        c: { $ref: '#/definitions/Text' },
        d: { $ref: '#' },
      },
      definitions: { Text: { type: 'string' } },
    } as unknown as JsonSchema;
    const written = plainUnionsOf(refs);
    expect(written.type).toBe('object');
    expect(written).not.toHaveProperty('definitions');
    const found = [...JSON.stringify(written).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref);
    expect(new Set(found)).toEqual(new Set(['#/$defs/Text', '#/$defs/arguments']));
  });

  it('ends where references lead to themselves', () => {
    const $defs = { Loop: { type: 'object', anyOf: [{ $ref: '#/$defs/Loop' }] } };
    expect(plainUnionsOf(of({ $ref: '#/$defs/Loop', minLength: 1 }, { $defs }))).toMatchObject({
      type: 'object',
    });
  });
});
