import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import type { JsonObject } from '../../../message';
import { exampleOf, schemaOf, SchemaValidator } from '../../../schema';
import { DTO_CASES } from '../../../schema/fixtures';
import type { JsonSchema } from '../../../tool';
import { filled } from '../../fixtures/filled-arguments';
import { isOpenAiPattern, isStrictOpenAiPattern } from './openai-pattern';
import { openAiParameters, openAiInputOf } from './openai-schema';
import { openAiStrictSchema } from './openai-strict';

const text: JsonSchema = { type: 'string' };

function closed(properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, additionalProperties: false, ...more };
}

function listing(count: number, chars: number): JsonSchema {
  const values = Array.from({ length: count }, (_, index) => String(index).padEnd(chars, 'x'));
  return { type: 'string', enum: values };
}

function nested(levels: number): JsonSchema {
  return levels === 1 ? closed({}) : closed({ in: nested(levels - 1) }, { required: ['in'] });
}

function reasonOf(schema: JsonSchema): string | undefined {
  const strict = openAiStrictSchema(schema);
  return 'reason' in strict ? strict.reason : undefined;
}

describe('openAiStrictSchema', () => {
  it('requires every property, and lets what was optional be null', () => {
    const schema = closed(
      {
        id: text,
        age: { type: 'integer', minimum: 0 },
        role: { type: 'string', enum: ['a', 'b'] },
        home: { $ref: '#/$defs/Home' },
        either: { anyOf: [text, { type: 'boolean' }] },
      },
      { required: ['id'], $defs: { Home: closed({ city: text }) } },
    );
    expect(openAiStrictSchema(schema)).toEqual({
      schema: {
        type: 'object',
        properties: {
          id: text,
          age: { type: ['integer', 'null'], minimum: 0 },
          role: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
          home: { anyOf: [{ $ref: '#/$defs/Home' }, { type: 'null' }] },
          either: { anyOf: [text, { type: 'boolean' }, { type: 'null' }] },
        },
        required: ['id', 'age', 'role', 'home', 'either'],
        additionalProperties: false,
        $defs: { Home: closed({ city: { type: ['string', 'null'] } }, { required: ['city'] }) },
      },
    });
  });

  it('puts into words what strict mode does not know', () => {
    const schema = closed(
      {
        name: { ...text, description: 'A name', minLength: 2, maxLength: 9, examples: ['Ann'] },
        site: { ...text, format: 'uri', default: 'https://a.example' },
        word: { ...text, pattern: '^(?=.*a)', not: { enum: ['ab'] }, deprecated: true },
      },
      { required: ['name', 'site', 'word'] },
    );
    expect(openAiStrictSchema(schema)).toMatchObject({
      schema: {
        properties: {
          name: {
            type: 'string',
            description: 'A name. at least 2 characters. at most 9 characters. for example "Ann"',
          },
          site: { description: 'format: uri. "https://a.example" where nothing is given' },
          word: { description: 'matches ^(?=.*a). not: one of "ab"' },
        },
      },
    });
  });

  it('parts several types into branches, each with its own rules', () => {
    const when = { type: ['string', 'number'], pattern: '^2', minimum: 0, description: 'When' };
    expect(openAiStrictSchema(closed({ when }, { required: ['when'] }))).toMatchObject({
      schema: {
        properties: {
          when: {
            description: 'When',
            anyOf: [
              { type: 'string', pattern: '^2' },
              { type: 'number', minimum: 0 },
            ],
          },
        },
      },
    });
  });

  it.each<[string, JsonSchema]>([
    ['it is no object', { type: 'array', items: text }],
    ['its keys are not known beforehand', { type: 'object' }],
    ['/a: any value would do, and it wants a type', closed({ a: {} })],
    [
      '/a: null is a value there, so nothing can say "not given"',
      closed({ a: { type: ['string', 'null'] } }),
    ],
    [
      '/a: "patternProperties" is not known to it',
      closed({ a: closed({}, { patternProperties: {} }) }),
    ],
    ['/a: "anyOf" stands beside other keywords', closed({ a: { type: 'string', anyOf: [text] } })],
    ['/a: #/properties/b is no definition', closed({ a: { $ref: '#/properties/b' } })],
    ['/a: its values are objects or lists', closed({ a: { enum: [{ b: 1 }] } })],
    ['/a: no value fits', closed({ a: { type: 'string', enum: [1] } })],
  ])('says why not: %s', (reason, schema) => {
    expect(reasonOf(schema)).toBe(reason);
  });

  it('keeps to the documented bounds', () => {
    const many = (count: number) =>
      closed(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, text])));
    expect(reasonOf(many(5_000))).toBeUndefined();
    expect(reasonOf(many(5_001))).toBe('it has more than 5000 properties');
    expect(reasonOf(nested(10))).toBeUndefined();
    expect(reasonOf(nested(11))).toBe('it is nested deeper than 10 levels');
    expect(reasonOf(closed({ a: listing(500, 9), b: listing(500, 9) }))).toBeUndefined();
    expect(reasonOf(closed({ a: listing(500, 9), b: listing(501, 9) }))).toBe(
      'it has more than 1000 enum values',
    );
    expect(reasonOf(closed({ a: listing(250, 400) }))).toBeUndefined();
    expect(reasonOf(closed({ a: listing(300, 50) }))).toBeUndefined();
    expect(reasonOf(closed({ a: listing(300, 51) }))).toBe(
      'an enum of more than 250 values is longer than 15000 characters',
    );
    expect(reasonOf(closed({ [`a${'b'.repeat(119_999)}`]: text }))).toBeUndefined();
    expect(reasonOf(closed({ [`a${'b'.repeat(120_000)}`]: text }))).toBe(
      'its names and enum values are longer than 120000 characters',
    );
    const definitions = { ['D'.repeat(100_000)]: text };
    expect(reasonOf(closed({ a: listing(200, 150) }, { $defs: definitions }))).toBe(
      'its names and enum values are longer than 120000 characters',
    );
  });
});

describe('openAiParameters', () => {
  it('says of what lists are, and puts patterns into words that Python does not know', () => {
    const schema: JsonSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...closed({ a: { type: 'array' }, b: { ...text, pattern: '^\\p{L}$', description: 'B' } }),
    };
    expect(openAiParameters(schema)).toEqual(
      closed({
        a: { type: 'array', items: {} },
        b: { ...text, description: 'B. matches ^\\p{L}$' },
      }),
    );
  });
});

describe('isOpenAiPattern', () => {
  // Each was tried with Python's `re.compile`.
  it.each([
    '^\\d+\\.\\w{2,}$',
    '\\u00e9\\x41',
    '[^\\]]',
    '(?=a)(?!b)',
    '\\\\p{2}',
    '[\\b]\\0',
    'a\\/b',
  ])('knows %s', (pattern) => expect(isOpenAiPattern(pattern)).toBe(true));
  it.each([
    '\\p{L}',
    '\\P{Lu}',
    '\\u{1f600}',
    '(?<a>b)',
    '\\k<a>',
    '\\cA',
    '[^]',
    '[]',
    '(?<=a+)b',
    '\\z',
  ])('does not know %s', (pattern) => expect(isOpenAiPattern(pattern)).toBe(false));
  it('cannot bind a model to look-arounds, references and word boundaries', () => {
    for (const pattern of ['(?=a)', '(?!a)', '(a)\\1', '\\bword\\b'])
      expect(isStrictOpenAiPattern(pattern)).toBe(false);
    expect(isStrictOpenAiPattern('^[a-z]{2}\\d*$')).toBe(true);
  });
});

describe('openAiInputOf', () => {
  const tool = {
    name: 'find',
    description: 'Finds',
    input_schema: closed({ a: text, b: { type: ['string', 'null'] } }),
  };
  const inputOf = openAiInputOf([tool]);

  it('takes out the nulls that say "not given", and no others', () => {
    expect(inputOf('find', { a: null, b: null, c: null })).toEqual({ b: null, c: null });
    expect(inputOf('other', { a: null })).toEqual({ a: null });
  });

  it('leaves hostile arguments as they are, for the boundary to refuse', () => {
    const hostile = JSON.parse('{"a":null,"__proto__":{"x":1}}') as typeof tool.input_schema;
    expect(Object.keys(inputOf('find', hostile as never))).toEqual(['__proto__']);
    const deep = JSON.parse(`{"a":null,"c":${'['.repeat(5_000)}${']'.repeat(5_000)}}`) as never;
    expect(Object.keys(inputOf('find', deep))).toEqual(['c']);
  });
});

const ANYTHING = 'any value would do, and it wants a type';
const OPEN = 'its keys are not known beforehand';
const NULL = 'null is a value there, so nothing can say "not given"';

/** The DTOs without a strict form at OpenAI, each for a different reason. */
const NOT_STRICT: Readonly<Record<string, string>> = {
  // The value has no type.
  IsNotIn: `/value: ${ANYTHING}`,
  NotEquals: `/value: ${ANYTHING}`,
  IsNotEmpty: `/value: ${ANYTHING}`,
  IsDefined: `/value: ${ANYTHING}`,
  IsInstance: `/value: ${ANYTHING}`,
  Allow: `/value: ${ANYTHING}`,
  'a decorator of the application': `/value: ${ANYTHING}`,
  // Nothing can be sent at all.
  'rules that contradict each other': '/value: no value fits',
  'IsDivisibleBy less than 1': '/value: no value fits',
  'IsIn nothing': '/value: no value fits',
  // Lists without the type of their items.
  IsArray: `/value: ${ANYTHING}`,
  ArrayMinSize: `/value: ${ANYTHING}`,
  ArrayMaxSize: `/value: ${ANYTHING}`,
  ArrayNotEmpty: `/value: ${ANYTHING}`,
  ArrayContains: `/value: ${ANYTHING}`,
  ArrayNotContains: `/value: ${ANYTHING}`,
  ArrayUnique: `/value: ${ANYTHING}`,
  'ArrayUnique by a function': `/value: ${ANYTHING}`,
  'a list of lists': '/value: a list of anything, and it wants the type of its items',
  // Objects with unknown keys.
  IsObject: `/value: ${OPEN}`,
  IsNotEmptyObject: `/value: ${OPEN}`,
  'IsNotEmptyObject without nulls': `/value: ${OPEN}`,
  'a map of objects': `/value: ${OPEN}`,
  'an empty class': OPEN,
  'a class without decorators': OPEN,
  'types the compiler emits': `/labels: ${OPEN}`,
  'all that OpenAPI metadata says of types': `/byName: ${OPEN}`,
  'PartialType of OpenAPI metadata alone': `/byName: ${OPEN}`,
  // If all must be given, null would have two meanings.
  IsEmpty: `/value: ${NULL}`,
  'ValidateIf false': `/value: ${NULL}`,
  'ValidateIf about another property': `/address: ${NULL}`,
  'OpenAPI metadata beside validators': `/note: ${NULL}`,
};

describe('each DTO as a strict schema', () => {
  it.each(DTO_CASES.map((one) => [one.name, one] as const))('%s', (name, one) => {
    const input_schema = schemaOf(one.type, { groups: one.groups ?? [] });
    const strict = openAiStrictSchema(input_schema);
    expect('reason' in strict ? strict.reason : undefined).toBe(NOT_STRICT[name]);
    if (!('schema' in strict)) return;
    const isBound = new Ajv2020({ strict: false, validateFormats: false }).compile(strict.schema);
    const validator = new SchemaValidator(input_schema);
    const inputOf = openAiInputOf([{ name: 'tool', description: 'Does something', input_schema }]);
    for (const value of [...one.accept, exampleOf(input_schema)] as JsonObject[]) {
      // As a model in strict mode writes it: missing values are null.
      const whole = filled(value, strict.schema) as JsonObject;
      expect([whole, isBound(whole)]).toEqual([whole, true]);
      expect([value, validator.check(inputOf('tool', whole))]).toEqual([value, []]);
    }
  });

  it('has a reason for no class that is not there', () => {
    const names = DTO_CASES.map(({ name }) => name);
    expect(Object.keys(NOT_STRICT).filter((name) => !names.includes(name))).toEqual([]);
  });
});
