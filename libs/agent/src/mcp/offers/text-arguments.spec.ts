import type { JsonSchema } from '../../tool';
import { argumentsOf } from './text-arguments';

describe('argumentsOf', () => {
  const read = (text: string, property: JsonSchema) =>
    argumentsOf({ value: text }, { type: 'object', properties: { value: property } })['value'];

  it.each<[string, JsonSchema, unknown]>([
    ['17', { type: 'integer' }, 17],
    ['-1.5', { type: 'number' }, -1.5],
    ['17', { type: 'string' }, '17'],
    ['17', { type: ['string', 'integer'] }, '17'],
    ['17', {}, '17'],
    ['true', { type: 'boolean' }, true],
    ['yes', { type: 'boolean' }, 'yes'],
    ['2', { enum: [1, 2] }, 2],
    ['2', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 2],
    ['[1]', { type: 'array' }, [1]],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['{', { type: 'object' }, '{'],
    ['0x10', { type: 'integer' }, '0x10'],
    ['', { type: 'number' }, ''],
    ['1e999', { type: 'number' }, '1e999'],
  ])('makes of %j for %j the value %j', (text, property, value) => {
    expect(read(text, property)).toEqual(value);
  });

  it('does not round an id to another one', () => {
    expect(read('9007199254740993', { type: 'integer' })).toBe('9007199254740993');
  });

  it('follows references, and takes __proto__ for a name', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { value: { $ref: '#/$defs/Id' } },
      $defs: { Id: { type: 'integer' } },
    };
    const texts = JSON.parse('{"value":"1","__proto__":"2","constructor":"3"}') as Record<
      string,
      string
    >;
    const values = argumentsOf(texts, schema);
    expect(Object.entries(values)).toEqual([
      ['value', 1],
      ['__proto__', '2'],
      ['constructor', '3'],
    ]);
  });
});
