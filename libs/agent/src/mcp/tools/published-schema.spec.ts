import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import type { JsonSchema } from '../../tool';
import { publishedInput, publishedOutput } from './published-schema';

const OPTIONS = { strict: false, logger: false } as const;
/** As clients read schemas: the one half as draft 7, the other as 2020-12. */
const READERS = [new Ajv(OPTIONS), new Ajv2020(OPTIONS)];

const inside = (member: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { member: { $ref: '#/$defs/Member' } },
  $defs: { Member: { anyOf: [member, { type: 'null' }] } },
});

const verdicts = (schema: JsonSchema, member: unknown): unknown[] =>
  READERS.map((reader) => reader.compile(schema)({ member }));

const PAIR = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] };

describe.each([publishedInput, publishedOutput])('%p', (publish) => {
  it.each<[string, JsonSchema, unknown]>([
    ['a tuple that ends', { ...PAIR, items: false }, ['a', 1]],
    ['a pattern with a needless escape', { type: 'string', pattern: '^\\w\\@\\w$' }, 'a@b'],
    [
      'members by a pattern with one',
      { type: 'object', patternProperties: { '^\\@': { type: 'number' } } },
      { '@a': 1 },
    ],
    ['a pattern that the flag cannot express', { type: 'string', pattern: '^(a)|\\2$' }, 'a'],
  ])('is a schema that all read alike: %s', (_, schema, member) => {
    expect(verdicts(publish(inside(schema)), member)).toEqual([true, true]);
  });

  it('keeps the end of a tuple, and a bound below it', () => {
    const ends = publish({ ...PAIR, items: false });
    expect(ends).toEqual({ ...PAIR, maxItems: 2 });
    expect(publish({ ...PAIR, items: false, maxItems: 1 })).toEqual({ ...PAIR, maxItems: 1 });
  });

  it('keeps all else', () => {
    const schema = inside({
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' } },
      required: ['at'],
      additionalProperties: false,
    });
    expect(publish(schema)).toEqual(schema);
  });
});

it('leaves rules of results out that clients apply differently', () => {
  const schema = inside({
    type: 'object',
    properties: {
      mail: { type: 'string', format: 'email' },
      name: { type: 'string', pattern: '^\\p{L}+$' },
      list: { ...PAIR, items: { type: 'boolean' } },
    },
  });
  expect(publishedOutput(schema)).toEqual(
    inside({
      type: 'object',
      properties: { mail: { type: 'string' }, name: { type: 'string' }, list: PAIR },
    }),
  );
  expect(publishedInput(schema)).toEqual(schema);
});
