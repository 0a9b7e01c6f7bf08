import { formProblems } from './schema-form';

describe('formProblems', () => {
  it('finds none in a schema, whatever else stands in it', () => {
    const schema = {
      type: ['object', 'null'],
      properties: {
        a: true,
        items: { type: 'string', enum: ['x'], pattern: '^\\w+\\@$', format: 'own' },
        enum: {},
        b: { $ref: '#/$defs/b/properties/c' },
        d: { $ref: '#' },
      },
      required: ['a'],
      additionalProperties: { anyOf: [{}, { $ref: '#/$defs/b' }] },
      patternProperties: { '^\\p{L}$': { minimum: 0, multipleOf: 0.01 } },
      $defs: { b: { properties: { c: { maxLength: 5 } } } },
      examples: 'any',
      'x-own': null,
      constructor: 1,
      unevaluatedItems: false,
    };
    expect(formProblems(schema, 'input')).toEqual([]);
    const named = { $ref: '#A', $defs: { a: { $anchor: 'A' } } };
    expect(formProblems(named, 'input')).toEqual([]);
  });

  it.each([
    ['a', 'input" must be a JSON Schema'],
    [{ properties: { a: null } }, 'input.properties.a" must be a JSON Schema'],
    [{ properties: ['a'] }, 'input.properties" must be an object'],
    [{ items: { anyOf: {} } }, 'input.items.anyOf" must be an array'],
    [{ allOf: ['a'] }, 'input.allOf.0" must be a JSON Schema'],
    [{ items: [{}] }, 'input.items" must be a JSON Schema'],
    [{ enum: [] }, 'input.enum" must be an array of at least one value'],
    [{ required: [1] }, 'input.required" must be an array of strings'],
    [{ type: 'strng' }, 'input.type" must be one or several of array, boolean, integer'],
    [{ type: [] }, 'input.type" must be one or several of array, boolean, integer'],
    [{ minLength: -1 }, 'input.minLength" must be a whole number, 0 or more'],
    [{ exclusiveMinimum: true }, 'input.exclusiveMinimum" must be a number'],
    [{ multipleOf: 0 }, 'input.multipleOf" must be a number above 0'],
    [{ uniqueItems: 'yes' }, 'input.uniqueItems" must be a boolean'],
    [{ pattern: '(' }, 'input.pattern" must be a regular expression'],
    [{ patternProperties: { '(': {} } }, 'input.patternProperties" must be an object by regular'],
    [{ $ref: {} }, 'input.$ref" must be a string'],
    [{ $ref: '#/$defs/a' }, 'input.$ref" leads nowhere: #/$defs/a'],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 'input.$ref" leads nowhere: #/$d'],
    [{ $ref: 'http://a.example/b.json' }, 'input.$ref" leads nowhere: http://a.example/b.json'],
    [{ description: 5 }, 'input.description" must be a string'],
  ])('finds what is none: %j', (schema, problem) => {
    expect(formProblems(schema, 'input')[0]).toMatch(`"${problem}`);
  });

  it('looks no deeper than 64 levels', () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { items: nested(levels - 1) });
    expect(formProblems(nested(64), 'input')).toEqual([]);
    expect(formProblems(nested(65), 'input')).toHaveLength(1);
    expect(formProblems(nested(5_000), 'input')).toHaveLength(1);
  });
});
