import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import * as z from 'zod';
import { DTO_CASES } from '../libs/agent/src/schema/fixtures';
import { openAiStrictSchema } from '../libs/agent/src/model/openai/openai-strict';
import { openAiInputOf } from '../libs/agent/src/model/openai/openai-tool';
import { exampleOf, schemaOf, SchemaValidator } from '../libs/agent/src/schema';
import type { JsonObject, JsonSchema, ToolDefinition } from 'nestjs-agent';
import { filled } from './support/filled-arguments';
import {
  anthropicOutputViolations,
  anthropicToolViolations,
  openAiStrictViolations,
  openAiToolViolations,
} from './support/provider-rules';
import { toldAnswer, toldTool } from './support/told-tools';

const TOOLS = DTO_CASES.map(({ name, type, groups = [], accept }) => ({
  name,
  accept: accept as readonly JsonObject[],
  definition: {
    name: 'tool',
    description: 'Does something',
    input_schema: schemaOf(type, { groups }),
  } satisfies ToolDefinition,
}));

const ANYTHING = 'any value would do, and it wants a type';
const OPEN = 'its keys are not known beforehand';
const NULL = 'null is a value there, so nothing can say "not given"';

/** The DTOs that OpenAI cannot bind a model to, each for a reason of its own. */
const NOT_STRICT: Readonly<Record<string, string>> = {
  // Nothing says of what type the value is.
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
  // Lists that do not say of what.
  IsArray: `/value: ${ANYTHING}`,
  ArrayMinSize: `/value: ${ANYTHING}`,
  ArrayMaxSize: `/value: ${ANYTHING}`,
  ArrayNotEmpty: `/value: ${ANYTHING}`,
  ArrayContains: `/value: ${ANYTHING}`,
  ArrayNotContains: `/value: ${ANYTHING}`,
  ArrayUnique: `/value: ${ANYTHING}`,
  'ArrayUnique by a function': `/value: ${ANYTHING}`,
  'a list of lists': '/value: a list of anything, and it wants the type of its items',
  // Objects whose keys nobody knows.
  IsObject: `/value: ${OPEN}`,
  IsNotEmptyObject: `/value: ${OPEN}`,
  'IsNotEmptyObject without nulls': `/value: ${OPEN}`,
  'a map of objects': `/value: ${OPEN}`,
  'an empty class': OPEN,
  'a class without decorators': OPEN,
  'types the compiler emits': `/labels: ${OPEN}`,
  'all that OpenAPI metadata says of types': `/byName: ${OPEN}`,
  'PartialType of OpenAPI metadata alone': `/byName: ${OPEN}`,
  // Where all have to be given, null would have to say two things.
  IsEmpty: `/value: ${NULL}`,
  'ValidateIf false': `/value: ${NULL}`,
  'ValidateIf about the value': `/value: ${NULL}`,
  'ValidateIf about another property': `/address: ${NULL}`,
  'OpenAPI metadata beside validators': `/note: ${NULL}`,
};

describe("each DTO as a tool's input", () => {
  it.each(TOOLS.map((one) => [one.name, one] as const))('%s', (name, { definition, accept }) => {
    const { openAi, compatible, anthropic } = toldTool(definition);
    expect(openAiToolViolations(openAi)).toEqual([]);
    expect(openAiToolViolations(compatible)).toEqual([]);
    expect(anthropicToolViolations(anthropic)).toEqual([]);

    const strict = openAiStrictSchema(definition.input_schema);
    expect('reason' in strict ? strict.reason : undefined).toBe(NOT_STRICT[name]);
    expect(openAi.function.strict).toBe('schema' in strict ? true : undefined);
    if (!('schema' in strict)) return;
    const sent = JSON.parse(JSON.stringify(openAi.function.parameters)) as JsonSchema;
    const isBound = new Ajv2020({ strict: false, validateFormats: false }).compile(sent);
    const validator = new SchemaValidator(definition.input_schema);
    const inputOf = openAiInputOf([definition]);
    for (const value of [...accept, exampleOf(definition.input_schema) as JsonObject]) {
      // As a bound model writes it: what is left out is null.
      const whole = filled(value, sent) as JsonObject;
      expect([whole, isBound(whole)]).toEqual([whole, true]);
      expect([value, validator.check(inputOf('tool', whole))]).toEqual([value, []]);
    }
  });

  it('is strict at OpenAI but for reasons that stand here', () => {
    const names = TOOLS.map(({ name }) => name);
    expect(Object.keys(NOT_STRICT).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length - Object.keys(NOT_STRICT).length).toBeGreaterThan(150);
  });
});

const text = { type: 'string' };
const closed = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});

/** What users write themselves, and what no class would lead to. */
const ODD: readonly (readonly [name: string, schema: JsonSchema, isStrict: boolean])[] = [
  ['nothing', { type: 'object' }, false],
  ['no arguments', closed({}), true],
  [
    'alternatives at the top',
    closed({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    false,
  ],
  [
    'branches at the top',
    { type: 'object', oneOf: [closed({ a: text }), closed({ b: text })] },
    false,
  ],
  [
    'parts at the top',
    {
      type: 'object',
      allOf: [{ properties: { a: text } }, { properties: { b: text }, required: ['b'] }],
    },
    false,
  ],
  ['a refusal at the top', closed({ a: text }, { not: { required: ['a'] } }), false],
  ['a condition at the top', closed({ a: text }, { if: { required: ['a'] }, then: {} }), false],
  ['a list of anything', closed({ a: { type: 'array' } }), false],
  ['a list or text', closed({ a: { type: ['array', 'string'] } }), false],
  ['a list of anything, said so', closed({ a: { type: 'array', items: true } }), false],
  ['a tuple', schemaOf(z.object({ a: z.tuple([z.string(), z.number()]) })), false],
  ['a Unicode pattern', closed({ a: { ...text, pattern: '^\\p{L}+$' } }), true],
  ['a code point in a pattern', closed({ a: { ...text, pattern: '\\u{1f600}' } }), true],
  ['a named group', closed({ a: { ...text, pattern: '^(?<year>\\d{4})$' } }), true],
  ['a look-ahead', closed({ a: { ...text, pattern: '^(?=.*\\d).{3,}$' } }), true],
  ['a look-behind', closed({ a: { ...text, pattern: '(?<=a+)b' } }), true],
  ['an escaped backslash before p', closed({ a: { ...text, pattern: '^\\\\p{2}$' } }), true],
  ['a Unicode pattern of keys', closed({}, { patternProperties: { '^\\p{L}+$': text } }), false],
  [
    'an odd name',
    closed(
      { größe: text, $filter: text, 'a b': text, [`n${'a'.repeat(99)}`]: text },
      { required: ['größe'] },
    ),
    true,
  ],
  ['an enum without a type', closed({ a: { enum: ['x', 1, null] } }, { required: ['a'] }), true],
  ['a constant without a type', closed({ a: { const: 'x' } }, { required: ['a'] }), true],
  [
    'a description beside a reference',
    closed({ a: { $ref: '#/$defs/A', description: 'An a' } }, { $defs: { A: text } }),
    true,
  ],
  [
    'a default beside a reference',
    closed({ a: { $ref: '#/$defs/A', default: 'x' } }, { $defs: { A: text } }),
    true,
  ],
  [
    'a rule beside a reference',
    closed({ a: { $ref: '#/$defs/A', minLength: 2 } }, { $defs: { A: text } }),
    true,
  ],
  ['a reference to a property', closed({ a: text, b: { $ref: '#/properties/a' } }), false],
  ['recursion', closed({ next: { $ref: '#' } }), true],
  [
    'a tagged union',
    schemaOf(
      z.object({
        a: z.discriminatedUnion('k', [
          z.object({ k: z.literal('x'), n: z.number().optional() }),
          z.object({ k: z.literal('y') }),
        ]),
      }),
    ),
    true,
  ],
  ['a recursive zod schema', schemaOf(TreeSchema()), true],
  [
    'formats of zod',
    schemaOf(z.object({ a: z.email(), b: z.url(), c: z.iso.datetime(), d: z.uuid(), e: z.ipv4() })),
    true,
  ],
  ['a record', schemaOf(z.object({ a: z.record(z.string(), z.number()) })), false],
  ['an optional null', schemaOf(z.object({ a: z.string().nullish() })), false],
];

function TreeSchema(): z.ZodType {
  const tree: z.ZodType = z.object({
    label: z.string(),
    get children() {
      return z.array(tree).optional();
    },
  });
  return tree;
}

describe("each DTO as an answer's schema", () => {
  it('is bound in a form that the provider takes, or left to the prompt', () => {
    const bound = { openAi: 0, anthropic: 0 };
    for (const { name, definition } of TOOLS) {
      const { openAi, anthropic } = toldAnswer(definition.input_schema);
      expect([name, openAi && openAiStrictViolations(openAi)]).toEqual([name, openAi && []]);
      expect([name, anthropic && anthropicOutputViolations(anthropic)]).toEqual([
        name,
        anthropic && [],
      ]);
      if (openAi) bound.openAi += 1;
      if (anthropic) bound.anthropic += 1;
    }
    expect(Math.min(bound.openAi, bound.anthropic)).toBeGreaterThan(150);
  });
});

describe('schemas that users write', () => {
  it.each(ODD)('%s', (_name, input_schema, isStrict) => {
    const { openAi, compatible, anthropic } = toldTool({
      name: 'tool',
      description: 'Does something',
      input_schema,
    });
    expect(openAiToolViolations(openAi)).toEqual([]);
    expect(openAiToolViolations(compatible)).toEqual([]);
    expect(anthropicToolViolations(anthropic)).toEqual([]);
    expect(openAi.function.strict === true).toBe(isStrict);
  });
});
