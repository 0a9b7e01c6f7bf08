import { SchemaValidator } from '../../../schema';
import {
  argumentsSchemaOf,
  foreignSchemaOf,
  SchemaRefusedError,
  withoutExpressions,
} from './foreign-schema';

const read = (more: object) => foreignSchemaOf({ type: 'object', ...more }, 'inputSchema');
const property = (schema: object) => read({ properties: { a: schema } }).properties?.['a'];

describe('a foreign schema', () => {
  it('stays open where it is open, and closed where it is closed', () => {
    const open = new SchemaValidator(read({ properties: { a: { type: 'string' } } }));
    expect(open.check({ a: 'x', more: 1 })).toEqual([]);
    const closed = new SchemaValidator(read({ properties: {}, additionalProperties: false }));
    expect(closed.check({ more: 1 })).not.toEqual([]);
  });

  it.each<[string, object, object]>([
    [
      'a list of items',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    ],
    ['an empty list of items', { type: 'array', items: [] }, { type: 'array' }],
    [
      'a boolean exclusiveMinimum',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'a boolean exclusiveMaximum that is false',
      { type: 'number', maximum: 9, exclusiveMaximum: false },
      { type: 'number', maximum: 9 },
    ],
    [
      'both at once',
      { minimum: 1, maximum: 9, exclusiveMinimum: true, exclusiveMaximum: true },
      { exclusiveMinimum: 1, exclusiveMaximum: 9 },
    ],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'nullable with an enum',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'nullable beside a reference',
      { $ref: '#', nullable: true },
      { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    ],
    [
      'nullable that is false',
      { type: 'string', nullable: false },
      { type: 'string', nullable: false },
    ],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    ['x-mcp-header', { type: 'string', 'x-mcp-header': 'Region' }, { type: 'string' }],
    ['an id of draft 4', { type: 'string', id: 'a' }, { type: 'string' }],
    ['required of draft 3', { type: 'string', required: true }, { type: 'string' }],
    [
      'an expression of another language',
      { type: 'string', pattern: '(?P<a>b)' },
      { type: 'string' },
    ],
    [
      'what stands deeper',
      { allOf: [{ items: { nullable: true, type: 'number' } }] },
      { allOf: [{ items: { type: ['number', 'null'] } }] },
    ],
  ])('is converted: %s', (_name, sent, schema) => {
    expect(property(sent)).toEqual(schema);
  });

  it('keeps properties that are named like keywords', () => {
    const names = ['id', 'nullable', '$schema', 'x-mcp-header', 'dependencies', '__proto__'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
    expect(Object.keys(read({ properties }).properties ?? {})).toEqual(names);
  });

  it('is checked as draft 7 would', () => {
    const validator = new SchemaValidator(
      read({
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { pair: { items: [{ type: 'string' }], additionalItems: false } },
        definitions: { b: { type: 'integer' } },
        patternProperties: { '^n_': { $ref: '#/definitions/b' } },
      }),
    );
    expect(validator.check({ pair: ['a'], n_one: 1 })).toEqual([]);
    expect(validator.check({ pair: ['a', 'b'] })).not.toEqual([]);
    expect(validator.check({ n_one: 'x' })).not.toEqual([]);
  });

  it.each<[string, object]>([
    ['another document', { $ref: 'https://example.com/schema.json' }],
    ['another document, with an $id of its own', { $id: 'https://a.example/', $ref: 'b.json' }],
    ['another document, dynamically', { $dynamicRef: 'https://example.com/#a' }],
    ['a missing place', { $ref: '#/$defs/none' }],
    ['a missing anchor', { $anchor: 'here', $ref: '#there' }],
    ['no type', { type: 'strnig' }],
    ['no reference', { $ref: 5 }],
  ])('is refused if it refers to %s', (_name, schema) => {
    expect(() => property(schema)).toThrow(SchemaRefusedError);
  });

  it('keeps references within the document, by anchor too', () => {
    const schema = read({
      properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#b' } },
      $defs: { a: { type: 'string' }, b: { $anchor: 'b', type: 'integer' } },
    });
    expect(new SchemaValidator(schema).check({ a: 'x', b: 1 })).toEqual([]);
    expect(new SchemaValidator(schema).check({ b: 'x' })).not.toEqual([]);
  });

  it('is checked without its expressions, which could run for hours', () => {
    const schema = withoutExpressions(
      read({
        properties: { a: { type: 'string', pattern: '^(a+)+$' } },
        patternProperties: { '^(b+)+$': { type: 'string' } },
        additionalProperties: false,
      }),
    );
    expect(JSON.stringify(schema)).not.toContain('+)+');
    const validator = new SchemaValidator(schema);
    expect(validator.check({ a: `${'a'.repeat(50)}!`, [`${'b'.repeat(50)}!`]: 1 })).toEqual([]);
    expect(validator.check({ a: 5 })).not.toEqual([]);
  });

  // As @playwright/mcp lists `scale` of its screenshots, and as Zod writes output schemas.
  it('does not demand arguments that have a default, at any depth', () => {
    const scale = { type: 'string', enum: ['css', 'device'], default: 'css' };
    const part = {
      type: 'object',
      properties: { scale, name: { type: 'string' } },
      required: ['name', 'scale'],
    };
    const sent = read({ ...part, properties: { ...part.properties, part } });
    expect(sent.required).toEqual(['name', 'scale']);
    const validator = new SchemaValidator(argumentsSchemaOf(sent));
    expect(validator.check({ name: 'a', part: { name: 'b' } })).toEqual([]);
    expect(validator.check({ scale: 'css', part: { scale: 'css' } })).toHaveLength(2);
    expect(validator.check({ name: 'a', scale: 'large' })).toHaveLength(1);
  });

  describe('whose references multiply', () => {
    /** Each level refers to the next one twice, by the keyword given. */
    type OfLevel = (level: number) => object;
    const doubling = (levels: number, refer: OfLevel, mark: OfLevel = () => ({})) => {
      const names = Array.from({ length: levels + 1 }, (_, level) => level);
      const entries = names.map((level) => {
        const schema =
          level === levels
            ? { type: 'string' }
            : { anyOf: [refer(level + 1), { title: 'b', ...refer(level + 1) }] };
        return [`a${level}`, { ...schema, ...mark(level) }];
      });
      return { anyOf: [refer(0)], $defs: Object.fromEntries(entries) as object };
    };
    /** Definitions of the same names that refer to nothing. */
    const plain = (levels: number): object =>
      Object.fromEntries(Array.from({ length: levels + 1 }, (_, level) => [`a${level}`, {}]));
    const byPlace = (level: number) => ({ $ref: `#/$defs/a${level}` });
    const byName = (keyword: string) => (level: number) => ({ [keyword]: `#n${level}` });
    const named = (keyword: string, start: string) => (level: number) => ({
      [keyword]: `${start}n${level}`,
    });

    it.each<[string, object]>([
      ['by place', doubling(20, byPlace)],
      [
        'by place, with other letters',
        doubling(20, (level) => ({ $ref: `#/%24defs/%61${level}` })),
      ],
      ['by anchor', doubling(20, byName('$ref'), named('$anchor', ''))],
      ['by dynamic anchor', doubling(20, byName('$dynamicRef'), named('$dynamicAnchor', ''))],
      ['by an $id that is an anchor', doubling(20, byName('$ref'), named('$id', '#'))],
      [
        'under a keyword that is unknown',
        {
          anyOf: [{ $ref: '#/x-more/a0' }],
          'x-more': doubling(20, (level) => ({ $ref: `#/x-more/a${level}` })).$defs,
        },
      ],
      [
        'within a part that has its own $id',
        {
          anyOf: [{ $ref: '#/$defs/inner' }],
          $defs: {
            ...plain(20),
            inner: { $id: 'https://a.example/inner', ...doubling(20, byPlace) },
          },
        },
      ],
      [
        'in a property that is named like a keyword',
        { ...doubling(20, byPlace), anyOf: [], properties: { $defs: byPlace(0) } },
      ],
    ])('is refused at once: %s', (_name, schema) => {
      expect(() => read(schema)).toThrow(/references of "inputSchema" multiply to more than 10000/);
    });

    const back = { $ref: '#' };
    it.each<[string, object]>([
      ['in all cases', { allOf: [back] }],
      ['in some cases', { anyOf: [{ maxProperties: 0 }, { not: back }] }],
      ['where a property is there', { dependentSchemas: { a: back } }],
      ['where a condition holds', { if: { required: ['a'] }, then: back }],
      ['by an anchor', { $anchor: 'all', allOf: [{ $ref: '#all' }] }],
      [
        'over definitions',
        {
          properties: { a: { $ref: '#/$defs/a' } },
          $defs: { a: { oneOf: [{ $ref: '#/$defs/b' }] }, b: { allOf: [{ $ref: '#/$defs/a' }] } },
        },
      ],
      [
        'by an id that is relative to that of another part',
        {
          $id: 'all',
          $defs: {
            a: {
              $id: 'https://a.example/',
              $defs: { b: { $id: './all', allOf: [{ $ref: 'all#' }] } },
            },
          },
          properties: { a: { $ref: '#/$defs/a/$defs/b' } },
        },
      ],
      [
        'over definitions, of which one is met in a property first',
        {
          properties: { a: { $ref: '#/$defs/a' } },
          $defs: {
            a: { properties: { b: { $ref: '#/$defs/b' } }, allOf: [{ $ref: '#/$defs/b' }] },
            b: { allOf: [{ $ref: '#/$defs/a' }] },
          },
        },
      ],
    ])('is refused if it refers to itself for the same value: %s', (_name, schema) => {
      expect(() => read(schema)).toThrow(
        'a check by "inputSchema" would never end: it refers to itself for the same value',
      );
    });

    it.each<[string, object]>([
      [
        'in a part with an id, to the whole by its own',
        {
          $id: 'urn:tree:all',
          properties: {
            s: { $id: 'urn:tree:one', anyOf: [{ type: 'null' }, { $ref: 'urn:tree:all#' }] },
          },
        },
      ],
      ['where no condition asks for it', { then: back, else: back }],
    ])('is taken if it refers to itself for another value or none: %s', (_name, schema) => {
      expect(new SchemaValidator(read({ type: 'object', ...schema })).check({})).toEqual([]);
    });

    it('is taken below the limit, and checked', () => {
      const validator = new SchemaValidator(read(doubling(8, byPlace)));
      expect(validator.check({})).not.toEqual([]);
    });

    it('is taken if it refers to itself, or often to the same plain part', () => {
      const tree = { properties: { left: { $ref: '#' }, right: { $ref: '#' } } };
      expect(new SchemaValidator(read(tree)).check({ left: { right: {} } })).toEqual([]);
      const names = Array.from({ length: 1_000 }, (_, at) => `p${at}`);
      const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/a' }]));
      const wide = read({ properties, $defs: { a: { type: 'string', enum: ['x'] } } });
      expect(new SchemaValidator(wide).check({ p1: 'x' })).toEqual([]);
    });

    it('is only compiled when it is listed', () => {
      const schema = { $anchor: 'here', ...doubling(11, byPlace) };
      expect(read(schema)).toMatchObject({ $anchor: 'here' });
    });
  });
});
