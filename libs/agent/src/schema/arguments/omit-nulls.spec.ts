import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { omitNulls } from './omit-nulls';

const text: JsonSchema = { type: 'string' };
const optional = (...names: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

describe('omitNulls', () => {
  it('takes out a null only where the property may be missing and knows no null', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: text, b: text, c: { type: ['string', 'null'] }, d: { $ref: '#/$defs/D' } },
      required: ['b'],
      $defs: { D: { anyOf: [text, { type: 'null' }] } },
    };
    const value = { a: null, b: null, c: null, d: null, unknown: null };
    expect(omitNulls(value, schema)).toEqual({ b: null, c: null, d: null, unknown: null });
  });

  it.each<[string, JsonSchema, JsonValue, JsonValue]>([
    ['lists', { items: optional('a') }, [{ a: null }], [{}]],
    ['tuples', { prefixItems: [text, optional('a')] }, ['x', { a: null }], ['x', {}]],
    [
      'maps of lists',
      { additionalProperties: { items: optional('a') } },
      { k: [{ a: null }], other: null },
      { k: [{}], other: null },
    ],
    [
      'parts',
      { allOf: [optional('a'), { allOf: [optional('b')] }] },
      { a: null, b: null, c: null },
      { c: null },
    ],
    [
      'properties beside alternatives',
      { ...optional('a'), anyOf: [{ required: ['a'] }, optional('b')] },
      { a: null, b: null },
      {},
    ],
  ])('looks into %s', (_name, schema, value, expected) => {
    expect(omitNulls(value, schema)).toEqual(expected);
  });

  it('takes the branch that a value means: by its tag, by its keys, by what it requires', () => {
    const tagged = (keyword: 'const' | 'enum', tag: string, ...names: string[]): JsonSchema => ({
      properties: {
        kind: keyword === 'const' ? { const: tag } : { enum: [tag] },
        ...optional(...names).properties,
        mode: { enum: ['x', 'y'] },
      },
      required: ['kind'],
    });
    const shapes: JsonSchema = {
      anyOf: [{ anyOf: [tagged('const', 'a', 'r'), tagged('enum', 'b', 'r')] }, { type: 'null' }],
    };
    expect(omitNulls({ kind: 'b', r: null, mode: null }, shapes)).toEqual({ kind: 'b' });

    const wider: JsonSchema = { ...optional('a', 'b', 'c'), required: ['a', 'c'] };
    const either: JsonSchema = { oneOf: [wider, optional('a', 'b')] };
    expect(omitNulls({ a: 'x', b: null }, either)).toEqual({ a: 'x' });
    expect(omitNulls({ a: 'x', z: null }, either)).toEqual({ a: 'x', z: null });
  });

  it('keeps what could reach a prototype, for the boundary to refuse', () => {
    const value = JSON.parse('{"a":null,"__proto__":{"b":1}}') as JsonValue;
    const kept = omitNulls(value, optional('a')) as object;
    expect(Object.keys(kept)).toEqual(['__proto__']);
    expect('b' in kept).toBe(false);
  });

  it('ends soon, whatever the value and the schema', () => {
    const deep = JSON.parse(`{"a":null,"b":${'['.repeat(9_000)}${']'.repeat(9_000)}}`) as JsonValue;
    expect(Object.keys(omitNulls(deep, optional('a')) as object)).toEqual(['b']);
    // Each definition is reached twice from the one before it.
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, { anyOf: [next, next] }];
      }),
    );
    const fanning: JsonSchema = { anyOf: [{ $ref: '#/$defs/d0' }, { $ref: '#' }], $defs };
    expect(omitNulls({ a: null }, fanning)).toEqual({ a: null });
  });
});
