import type { JsonObject } from '../../message';
import type { JsonSchema } from '../../tool';
import { masked, unmasked } from './sensitive';

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    pin: { type: 'integer', writeOnly: true },
    cards: { type: 'array', items: { $ref: '#/$defs/Card' } },
    owner: { anyOf: [{ $ref: '#/$defs/Card' }, { type: 'null' }] },
    secrets: { type: 'object', additionalProperties: { type: 'string', writeOnly: true } },
  },
  $defs: {
    Card: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        number: { type: 'string', writeOnly: true },
        inner: { $ref: '#/$defs/Card' },
      },
    },
  },
};

const HIDDEN: JsonSchema = { writeOnly: true };

const INPUT: JsonObject & { readonly cards: readonly JsonObject[] } = {
  name: 'ann',
  pin: 1234,
  cards: [
    { label: 'a', number: '1', inner: { number: '11' } },
    { label: 'b', number: '2' },
  ],
  owner: { number: '3' },
  secrets: { key: 'x' },
};

const SHOWN: typeof INPUT = {
  name: 'ann',
  pin: '[redacted]',
  cards: [
    { label: 'a', number: '[redacted]', inner: { number: '[redacted]' } },
    { label: 'b', number: '[redacted]' },
  ],
  owner: { number: '[redacted]' },
  secrets: { key: '[redacted]' },
};

describe('sensitive arguments', () => {
  it('are masked wherever the schema marks them, and nothing else is', () => {
    expect(masked(INPUT, SCHEMA)).toEqual(SHOWN);
    const plain: JsonSchema = { type: 'object', properties: { pin: {} } };
    expect(masked(INPUT, plain)).toBe(INPUT);
  });

  it('come back where their masks do', () => {
    expect(unmasked({ ...SHOWN, name: 'bob' }, INPUT, SCHEMA)).toEqual({ ...INPUT, name: 'bob' });
    expect(unmasked({ ...SHOWN, pin: 1 }, INPUT, SCHEMA)).toEqual({ ...INPUT, pin: 1 });
  });

  it('stay with their item where a list was reordered, cut or edited', () => {
    const [first = {}, second = {}] = SHOWN.cards;
    const cards = (shown: readonly JsonObject[]) =>
      unmasked({ ...SHOWN, cards: shown }, INPUT, SCHEMA).cards;
    expect(cards([second, first])).toEqual([INPUT.cards[1], INPUT.cards[0]]);
    expect(cards([second])).toEqual([INPUT.cards[1]]);
    // Not every client keeps the order of keys.
    expect(cards([{ number: '[redacted]', label: 'b' }])).toEqual([INPUT.cards[1]]);
    expect(cards([first, { ...second, label: 'c' }])).toEqual([
      INPUT.cards[0],
      { label: 'c', number: '2' },
    ]);
  });

  it('are not looked for again at each member of a wrong call', () => {
    const looksFor = (size: number): number => {
      let looks = 0;
      const pin = {
        get writeOnly(): boolean {
          looks += 1;
          return true;
        },
      };
      const schema = { type: 'object', properties: { pin }, additionalProperties: false };
      const names = Array.from({ length: size }, (_, index) => `stray${index}`);
      const call = Object.fromEntries(names.map((name) => [name, 1]));
      expect(new Set(Object.values(masked(call, schema)))).toEqual(new Set(['[redacted]']));
      return looks;
    };
    expect(looksFor(50)).toBe(looksFor(1));
  });

  it('are found without a comparison of each item of an edited list with all others', () => {
    const readsOfEach = (count: number): number => {
      let reads = 0;
      const listOf = (start: number): JsonObject[] =>
        Array.from({ length: count }, (_, index) => ({
          get label(): string {
            reads += 1;
            return `${start + index}`;
          },
        }));
      unmasked({ cards: listOf(count) }, { cards: listOf(0) }, SCHEMA);
      return reads / count;
    };
    expect(readsOfEach(50)).toBe(readsOfEach(2));
  });

  it('are never those of another place', () => {
    const shown = { cards: [{ label: 'new', number: '[redacted]' }], owner: null };
    expect(() => unmasked(shown, INPUT, SCHEMA)).toThrow(
      '/cards/0/number: is masked, and no value is stored',
    );
    expect(() => unmasked({ pin: '[redacted]' }, {}, SCHEMA)).toThrow('/pin: is masked');
  });

  it.each<[string, JsonSchema]>([
    ['a pattern beside its name', { properties: { pin: {} }, patternProperties: { '^p': HIDDEN } }],
    ['what is left', { unevaluatedProperties: HIDDEN }],
    ['what another name brings', { dependentSchemas: { name: { properties: { pin: HIDDEN } } } }],
    ['a condition', { if: { properties: { pin: HIDDEN } } }],
    ['a reference that leads nowhere', { properties: { name: HIDDEN, pin: { $ref: '#pin' } } }],
    ['a ring of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a', ...HIDDEN } } }],
  ])('are masked where %s says so', (_, schema) => {
    expect(JSON.stringify(masked({ name: 'ann', pin: 1234 }, schema))).not.toContain('1234');
  });

  it.each<[string, JsonSchema]>([
    ['what is left', { prefixItems: [{}], unevaluatedItems: HIDDEN }],
    ['what a list has to contain', { items: {}, contains: HIDDEN }],
  ])('are masked in a list where %s says so', (_, pins) => {
    const schema: JsonSchema = { properties: { pins } };
    expect(JSON.stringify(masked({ pins: [1, 1234] }, schema))).not.toContain('1234');
  });

  it.each<[string, JsonObject]>([
    ['an object where a list of them belongs', { cards: { number: '1234' } }],
    ['a list where an object belongs', { owner: [{ number: '1234' }] }],
    ['JSON as text', { cards: '[{"number":"1234"}]', owner: '{"number":"1234"}' }],
    ['what is wrapped once more', { input: { pin: 1234 } }],
    ['a name that is not known', { code: 1234, cards: [{ Number: '1234' }] }],
    ['text among numbers', { secrets: '1234' }],
  ])('are masked in %s, of a call that is refused', (_, input) => {
    const card = { ...SCHEMA.$defs?.Card, additionalProperties: false };
    const closed = { ...SCHEMA, additionalProperties: false, $defs: { Card: card } };
    const told = masked({ name: 'ann', ...input }, closed);
    expect(JSON.stringify(told)).not.toContain('1234');
    expect(told.name).toBe('ann');
  });

  it('are not looked for in what holds none', () => {
    const plain = { type: 'object', properties: { a: { type: 'integer' } } };
    const schema: JsonSchema = {
      ...SCHEMA,
      properties: { ...SCHEMA.properties, list: { type: 'array', items: plain } },
      additionalProperties: true,
    };
    const input = { list: { a: 1 }, name: ['x'], other: { pin: 5 }, owner: null };
    expect(masked(input, schema)).toEqual(input);
  });

  it('leave text alone that only looks like a mask', () => {
    expect(unmasked({ name: '[redacted]' }, INPUT, SCHEMA)).toEqual({ name: '[redacted]' });
  });
});
