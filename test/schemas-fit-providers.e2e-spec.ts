import 'reflect-metadata';
import { defineTool, type ToolDefinition } from 'nestjs-agent';
import type { JsonSchema } from 'nestjs-agent/types';
import * as z from 'zod';
import {
  anthropicOutputViolations,
  anthropicToolViolations,
  DTO_CASES,
  openAiStrictViolations,
  openAiToolViolations,
  ProviderModels,
} from './support/models';

type ToolSchema = Parameters<typeof defineTool>[0]['input'];

function definitionOf(input: ToolSchema): ToolDefinition {
  const declared = { name: 'tool', description: 'Does something', execute: () => 'done' };
  return defineTool({ ...declared, input }).definition;
}

const schemaFrom = (input: ToolSchema): JsonSchema => definitionOf(input).input_schema;

const CLASSES = DTO_CASES.map(({ name, type }) => [name, definitionOf(type)] as const);

let models: ProviderModels;
beforeAll(async () => {
  models = await ProviderModels.start();
});
afterAll(() => models.stop());

async function violationsOf(definition: ToolDefinition) {
  const { openAi, compatible, anthropic } = await models.tool(definition);
  return {
    openAi: openAiToolViolations(openAi),
    compatible: openAiToolViolations(compatible),
    anthropic: anthropicToolViolations(anthropic),
  };
}

const NO_VIOLATIONS = { openAi: [], compatible: [], anthropic: [] };

describe("each DTO as a tool's input", () => {
  it.each(CLASSES)('%s', async (_name, definition) => {
    expect(await violationsOf(definition)).toEqual(NO_VIOLATIONS);
  });
});

const text = { type: 'string' };
const closed = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});

/** Hand-written schemas that no class produces. */
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
  ['a tuple', schemaFrom(z.object({ a: z.tuple([z.string(), z.number()]) })), false],
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
    schemaFrom(
      z.object({
        a: z.discriminatedUnion('k', [
          z.object({ k: z.literal('x'), n: z.number().optional() }),
          z.object({ k: z.literal('y') }),
        ]),
      }),
    ),
    true,
  ],
  ['a recursive zod schema', schemaFrom(TreeSchema()), true],
  [
    'formats of zod',
    schemaFrom(
      z.object({ a: z.email(), b: z.url(), c: z.iso.datetime(), d: z.uuid(), e: z.ipv4() }),
    ),
    true,
  ],
  ['a record', schemaFrom(z.object({ a: z.record(z.string(), z.number()) })), false],
  ['an optional null', schemaFrom(z.object({ a: z.string().nullish() })), false],
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
  it.each(CLASSES)('%s', async (_name, { input_schema }) => {
    const tool = await models.tool(definitionOf(input_schema));
    const { openAi, anthropic } = await models.answer(input_schema);
    // A schema that fits strict calls fits strict answers; otherwise the prompt asks for the form.
    expect(openAi !== undefined).toBe(tool.openAi.function.strict === true);
    expect(openAi && openAiStrictViolations(openAi)).toEqual(openAi && []);
    expect(anthropic && anthropicOutputViolations(anthropic)).toEqual(anthropic && []);
  });
});

describe('schemas that users write', () => {
  it.each(ODD)('%s', async (_name, input_schema, isStrict) => {
    const definition = { name: 'tool', description: 'Does something', input_schema };
    expect(await violationsOf(definition)).toEqual(NO_VIOLATIONS);
    const { openAi } = await models.tool(definition);
    expect(openAi.function.strict === true).toBe(isStrict);
  });
});
