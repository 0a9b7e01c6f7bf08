import type { JsonSchema } from '../tool';
import { SchemaValidator } from './schema-validator';

const problems = (schema: JsonSchema, value: unknown): readonly string[] =>
  new SchemaValidator(schema).check(value).map(({ path, message }) => `${path} ${message}`);

describe('SchemaValidator', () => {
  it('reads patterns with needless escapes, as people write them', () => {
    const schema: JsonSchema = {
      properties: { mail: { type: 'string', pattern: '^[\\w\\-\\.]+\\@\\w+$' } },
      patternProperties: { '^x\\-': { type: 'integer' } },
    };
    expect(problems(schema, { mail: 'a.b@c', 'x-1': 1 })).toEqual([]);
    expect(problems(schema, { mail: 'a b@c', 'x-1': 'a' })).toHaveLength(2);
  });

  it('divides decimal fractions as people do', () => {
    const schema: JsonSchema = { type: 'number', multipleOf: 0.01 };
    for (const price of [0.07, 19.99, -4.35, 100]) expect(problems(schema, price)).toEqual([]);
    for (const price of [0.071, 19.999]) expect(problems(schema, price)).toHaveLength(1);
  });

  it('finds equal items among thousands, soon', () => {
    const schema: JsonSchema = { type: 'array', uniqueItems: true };
    const items = Array.from({ length: 20_000 }, (_, index) => ({ index, more: [{ a: 1, b: 2 }] }));
    expect(problems(schema, items)).toEqual([]);
    expect(problems(schema, [...items, { more: [{ b: 2, a: 1 }], index: 7 }])).toEqual([
      ' must NOT have duplicate items',
    ]);
    expect(problems({ uniqueItems: false }, [1, 1])).toEqual([]);
    expect(problems(schema, [1, '1', [1], { 0: 1 }, null])).toEqual([]);
  });

  it('reads addresses in no time', () => {
    const schema: JsonSchema = { type: 'string', format: 'url' };
    expect(problems(schema, 'https://example.com/a?b=c')).toEqual([]);
    for (const text of ['example.com', 'javascript:alert(1)', 'http://', 'http://a b'])
      expect(problems(schema, text)).toHaveLength(1);
    // Takes half a minute with the expression of ajv-formats.
    expect(problems(schema, `https://${':'.repeat(200_000)}`)).toHaveLength(1);
  });

  it('lists a hundred allowed values at most', () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `value ${index}`);
    const [problem = ''] = problems({ enum: values }, 'x');
    expect(problem).toMatch(/"value 99", …$/);
  });

  it('says of a name where it stands', () => {
    const schema: JsonSchema = {
      properties: { byDay: { propertyNames: { enum: ['mon'] }, additionalProperties: true } },
    };
    expect(problems(schema, { byDay: { mon: 1, fun: 2 } })).toEqual([
      '/byDay/fun is not a known argument',
    ]);
  });

  it('says what is wrong with a schema that cannot be used', () => {
    expect(() => problems({ type: 'string', pattern: '(' }, 'x')).toThrow(
      /This JSON Schema cannot be used: .*group/,
    );
    expect(() => problems({ $ref: '#/$defs/none' }, 'x')).toThrow(/can't resolve reference/);
  });
});
