import 'reflect-metadata';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  getSchemaPath,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { PartialType as PartialMapped } from '@nestjs/mapped-types';
import { Type } from 'class-transformer';
import { getMetadataStorage, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { ToolField } from '../../decorators';
import type { JsonObject } from '../../message';
import type { JsonSchema } from '../../tool';
import { AddressDto, CLASS_CASES, CreateUserDto } from '../fixtures/class.cases';
import { DERIVED_CLASS_CASES } from '../fixtures/derived-class.cases';
import { SWAGGER_CASES } from '../fixtures/swagger.cases';
import { TRANSFORM_CASES } from '../fixtures/transform.cases';
import { AddressDto as OtherAddressDto } from '../fixtures/other-address';
import {
  describeMethodResult,
  exampleOf,
  mergeObjectSchema,
  outputSchemaOf,
  schemaOf,
  SchemaValidator,
  toInstance,
} from '../index';
import { validationRulesOf } from '../metadata/class-validator.metadata';

const problems = (schema: JsonSchema, value: unknown): readonly string[] =>
  new SchemaValidator(schema).check(value).map(({ path, message }) => `${path} ${message}`);

class FieldDto {
  @ToolField({ description: 'How many', example: 3, required: true })
  @IsOptional()
  @IsInt()
  count?: number;

  @ToolField({ description: 'Free text' })
  note!: string;
}

class SecretsDto {
  @ToolField({ sensitive: true, description: 'Its code', required: true })
  @IsString()
  code!: string;

  @ApiProperty({ writeOnly: true, description: 'Its key' })
  @IsString()
  key!: string;

  @ToolField({ description: 'Its hint' })
  hint!: string;
}

class FileDto {
  @IsOptional()
  content?: Buffer;
}

const WHOLE_CLASSES = [
  ...CLASS_CASES,
  ...DERIVED_CLASS_CASES,
  ...TRANSFORM_CASES,
  ...SWAGGER_CASES,
];

describe('schemaOf', () => {
  it.each(WHOLE_CLASSES.map((one) => [one.name, one] as const))(
    'finds the rules that class-validator finds: %s',
    (_name, { type, groups = [] }) => {
      const theirs = getMetadataStorage().getTargetValidationMetadatas(
        type,
        '',
        false,
        false,
        groups,
      );
      const ours = [...validationRulesOf(type, groups).values()].flat();
      const named = (rules: readonly { name?: string; type?: string; kind?: string }[]): string[] =>
        rules.map((rule) => rule.name ?? rule.type ?? rule.kind ?? '').sort();
      expect(named(ours)).toEqual(named(theirs));
    },
  );

  it('titles a class and keeps same-named ones apart', () => {
    class Both {
      @ValidateNested() @Type(() => AddressDto) a!: AddressDto;
      @ValidateNested() @Type(() => AddressDto) b!: AddressDto;
      @ValidateNested() @Type(() => OtherAddressDto) c!: OtherAddressDto;
      @ValidateNested() @Type(() => OtherAddressDto) d!: OtherAddressDto;
    }
    const schema = schemaOf(Both);
    expect(schema.title).toBe('Both');
    expect(Object.keys(schema.$defs ?? {})).toEqual(['AddressDto', 'AddressDto_2']);
  });

  it('shows what @ToolField says', () => {
    expect(schemaOf(FieldDto)).toMatchObject({
      properties: {
        count: { description: 'How many', examples: [3] },
        note: { type: 'string', description: 'Free text' },
      },
      required: ['count', 'note'],
    });
  });

  it.each([
    ['PartialType of swagger', PartialType(SecretsDto)],
    ['PartialType of mapped types', PartialMapped(SecretsDto)],
    ['PartialType of PickType', PartialType(PickType(SecretsDto, ['code', 'hint', 'key']))],
  ])('describes the properties of a mapped class as those of its source: %s', (_, type) => {
    const schema = schemaOf(type);
    expect(schema.properties).toMatchObject({
      code: { type: 'string', writeOnly: true, description: 'Its code' },
      key: { type: 'string' },
      hint: { description: 'Its hint' },
    });
    expect(schema.required ?? []).toEqual([]);
  });

  it('leaves out what a mapped class leaves out, and takes what it says itself', () => {
    class CodeDto extends OmitType(SecretsDto, ['hint']) {
      @ToolField({ description: 'Its new code' })
      declare code: string;
    }
    const { properties, required } = schemaOf(CodeDto);
    expect(properties).toEqual({
      code: { type: 'string', description: 'Its new code' },
      key: { type: 'string', writeOnly: true, description: 'Its key' },
    });
    expect(required).toEqual(['code', 'key']);
  });

  it('refuses a Buffer with a reason', () => {
    expect(() => schemaOf(FileDto)).toThrow(
      /FileDto\.content: a Buffer cannot come from JSON; take base64 text/,
    );
  });

  it('refuses integers beyond the safe ones', () => {
    class Dto {
      @IsInt() n!: number;
    }
    expect(problems(schemaOf(Dto), { n: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(problems(schemaOf(Dto), { n: 2 ** 53 })).toHaveLength(1);
  });

  it('points to every problem', () => {
    expect(
      problems(schemaOf(CreateUserDto), {
        email: 1,
        name: 'Ann',
        role: 'x',
        address: { street: 'a', zip: '12345', y: 1 },
        z: 1,
      }),
    ).toEqual([
      '/z is not a known argument',
      '/email must be string',
      '/role must be one of "admin", "member"',
      '/address/y is not a known argument',
      '/address/street must NOT have fewer than 2 characters',
    ]);
  });

  it('takes null for left out only where a property is optional', () => {
    class Dto {
      @IsString() name!: string;
      @IsOptional() @IsString() note?: string = 'none';
    }
    const validator = new SchemaValidator(schemaOf(Dto));
    expect(validator.accept({ name: 'a', note: null })).toEqual({ name: 'a' });
    expect(() => validator.accept({ name: null })).toThrow('/name: must be string');
  });
});

describe('JSON Schemas', () => {
  it('say what is wrong with them before any call', () => {
    const broken = {
      type: 'object',
      properties: { a: { type: 'text' }, b: { $ref: '#/$defs/b' } },
    };
    expect(() => schemaOf(broken)).toThrow(
      /Not a JSON Schema: "schema.properties.a.type" must be one or several of .*; "schema.properties.b.\$ref" leads nowhere/,
    );
    expect(() => schemaOf([broken])).toThrow('Not a JSON Schema');
    expect(() => outputSchemaOf(broken)).toThrow('Not a JSON Schema');
  });
});

describe('Standard Schemas', () => {
  const order = z.object({
    id: z.number().int(),
    tags: z.array(z.string()).default([]),
    inner: z.object({ a: z.string() }).optional(),
  });

  it('become JSON Schema that refuses unknown keys at every depth', () => {
    const schema = schemaOf(order);
    expect(problems(schema, { id: 1, inner: { a: 'x' } })).toEqual([]);
    expect(problems(schema, { id: 1, inner: { a: 'x', b: 1 }, c: 1 })).toHaveLength(2);
    expect(schema).toMatchObject({ required: ['id'] });
    expect(outputSchemaOf(order)).toMatchObject({ required: ['id', 'tags'] });
  });

  it('become JSON Schema without bounds that nobody set', () => {
    const counted = z.object({
      any: z.int(),
      maybe: z.int().nullable().optional(),
      some: z.array(z.number().int().positive()),
      few: z.int().max(9),
      coerced: z.coerce.number().int(),
    });
    for (const schema of [schemaOf(counted), outputSchemaOf(counted)]) {
      expect(JSON.stringify(schema)).not.toContain('9007199254740991');
      expect(schema.properties).toMatchObject({
        any: { type: 'integer' },
        some: { items: { type: 'integer', exclusiveMinimum: 0 } },
        few: { maximum: 9 },
      });
    }
    const value = { any: 1, some: [1], few: 1, coerced: 1 };
    expect(problems(schemaOf(counted), value)).toEqual([]);
    expect(problems(schemaOf(counted), { ...value, any: 2 ** 53, some: [2 ** 53] })).toEqual([
      '/any must be <= 9007199254740991',
      '/some/0 must be <= 9007199254740991',
    ]);
  });

  it('become JSON Schema without the long patterns of its formats', () => {
    const contact = z.object({
      email: z.email(),
      at: z.iso.datetime(),
      kin: z.array(z.uuid().optional()),
      code: z.string().regex(/^[A-Z]{3}$/),
      mail: z.email({ pattern: /@example\.com$/ }),
    });
    for (const schema of [schemaOf(contact), outputSchemaOf(contact)]) {
      expect(schema.properties).toEqual({
        email: { type: 'string', format: 'email' },
        at: { type: 'string', format: 'date-time' },
        kin: { type: 'array', items: { type: 'string', format: 'uuid' } },
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
        mail: { type: 'string', format: 'email', pattern: '@example\\.com$' },
      });
    }
  });

  it('accept what their patterns with flags accept', () => {
    const theme = z.object({
      colour: z.string().regex(/^#[a-f\d]{6}$/i),
      font: z
        .string()
        .regex(/^[a-z ]+$/i)
        .regex(/^\S/)
        .min(1),
      mail: z.string().email(),
      code: z.string().regex(/^\p{Lu}+$/u),
    });
    const value = { colour: '#FFCC00', font: 'Gill Sans', mail: 'Ada@Example.com', code: 'ÄB' };
    expect(theme.safeParse(value).success).toBe(true);
    expect(problems(schemaOf(theme), value)).toEqual([]);
    expect(schemaOf(theme).properties).toMatchObject({
      font: { type: 'string', minLength: 1 },
      code: { type: 'string', pattern: '^\\p{Lu}+$' },
    });
  });

  it('describe a date of a result as the text that JSON makes of it', () => {
    const text = { type: 'string', format: 'date-time' };
    expect(outputSchemaOf(z.object({ at: z.date() })).properties).toEqual({ at: text });
    expect(outputSchemaOf(z.object({ at: z.coerce.date() })).properties).toEqual({ at: text });
  });

  it('of zod with an id are themselves, and not a reference to their definition', () => {
    const named = z.object({ name: z.string() }).meta({ id: 'SchemaOfNamed' });
    expect(schemaOf(named)).toMatchObject({ type: 'object', required: ['name'] });
    expect(Object.keys(schemaOf(named))).not.toEqual(expect.arrayContaining(['$ref']));
    expect(schemaOf(named)).not.toHaveProperty('$defs');
    const node = z
      .object({
        name: z.string(),
        get parts() {
          return z.array(node).optional();
        },
      })
      .meta({ id: 'SchemaOfNode' }) as z.ZodObject;
    const schema = schemaOf(node);
    expect(schema).toMatchObject({ type: 'object', required: ['name'] });
    expect(problems(schema, { name: 'a', parts: [{ name: 'b' }] })).toEqual([]);
    expect(problems(schema, { name: 'a', parts: [{ title: 'b' }] })).not.toEqual([]);
  });

  it('describe a date that zod makes of text, with its own words', () => {
    const due = z.coerce.date().meta({ description: 'When it is due', examples: ['2027-01-01'] });
    const { properties } = schemaOf(z.object({ due }));
    const { pattern } = schemaOf(Date);
    expect(properties?.due).toEqual({
      ...{ type: 'string', pattern, description: 'When it is due', examples: ['2027-01-01'] },
    });
  });

  it('take integers and digits where zod makes a bigint', () => {
    const views = z.object({ views: z.coerce.bigint() });
    for (const value of [3, '9007199254740993']) {
      expect(problems(schemaOf(views), { views: value })).toEqual([]);
      expect(problems(outputSchemaOf(views), { views: value })).toEqual([]);
    }
    for (const value of [1.5, '1.5', 'many', true]) {
      expect(problems(schemaOf(views), { views: value })).not.toEqual([]);
    }
  });

  it.each<[string, z.ZodType, (value: unknown) => unknown]>([
    ['a bigint', z.bigint(), (value: unknown) => BigInt(String(value))],
    ['a date', z.date(), (value: unknown) => new Date(String(value))],
  ])('take what is made %s before, or fits beside one', (_, made, make) => {
    for (const taken of [
      z.preprocess(make, made),
      z.preprocess(make, made.nullish()),
      z.preprocess(
        (value) => ({ deep: make(value) }),
        z.object({ deep: made.meta({ title: 'x' }) }),
      ),
      z.union([z.string(), made]),
      z.union([made.readonly(), z.string()]).optional(),
    ]) {
      expect(() => schemaOf(z.object({ taken }))).not.toThrow();
    }
    const [first, second] = [z.preprocess(make, made), made.refine(() => true)];
    expect(() => schemaOf(z.object({ first, others: z.object({ second }) }))).toThrow(
      'at properties/others/properties/second refuses every value of JSON',
    );
    expect(() => schemaOf(z.object({ either: z.union([z.bigint(), z.date()]) }))).toThrow(
      'refuses every value of JSON',
    );
  });

  it('pass a bigint that may be missing or null, but no such date', () => {
    for (const views of [
      z.bigint().optional(),
      z.bigint().nullable(),
      z.bigint().meta({ title: 'Views' }).nullish(),
      z.bigint().default(1n),
    ]) {
      expect(() => schemaOf(z.object({ views }))).not.toThrow();
    }
    expect(() => schemaOf(z.object({ at: z.date().optional() }))).toThrow('Take z.coerce.date().');
    expect(() => schemaOf(z.object({ at: z.date().catch(new Date()) }))).not.toThrow();
  });

  it('describe what a DTO with a codec answers by what it takes', () => {
    class CountedDto {
      static readonly schema = z.object({
        count: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
      });
      static readonly codec = true;
    }
    class PlainDto {
      static readonly schema = CountedDto.schema;
      static readonly codec = false;
    }
    expect(outputSchemaOf(CountedDto)).toMatchObject({ properties: { count: { type: 'string' } } });
    expect(outputSchemaOf(PlainDto)).toMatchObject({ properties: { count: { type: 'number' } } });
    expect(problems(outputSchemaOf(CountedDto), { count: '1', more: 1 })).toEqual([]);
  });

  it('make the value that a method receives', async () => {
    await expect(toInstance(order, { id: 1 })).resolves.toEqual({ id: 1, tags: [] });
    await expect(
      toInstance(
        order.refine(() => false, { path: ['id'], message: 'taken' }),
        { id: 1 },
        { path: '/order' },
      ),
    ).rejects.toThrow('/order/id: taken');
  });

  it('close what is put together', () => {
    const schema = schemaOf(
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
    );
    expect(problems(schema, { a: 'x', b: 1 })).toEqual([]);
    expect(problems(schema, { a: 'x', b: 1, c: 1 })).not.toEqual([]);
  });

  it('say what they cannot say', () => {
    expect(() => schemaOf(z.object({ days: z.array(z.object({ at: z.date() })) }))).toThrow(
      'This zod schema cannot be said in JSON Schema: z.date() at properties/days/items/properties/at refuses every value of JSON. Take z.coerce.date().',
    );
    expect(() => schemaOf(z.object({ views: z.bigint().min(1n).readonly() }))).toThrow(
      'z.bigint() at properties/views refuses every value of JSON. Take z.coerce.bigint().',
    );
    const bare = {
      '~standard': {
        version: 1 as const,
        vendor: 'mine',
        validate: (value: unknown) => ({ value }),
      },
    };
    expect(() => schemaOf(bare)).toThrow(/Schemas of "mine" offer no JSON Schema/);
    expect(() => schemaOf(z3.object({ a: z3.string() }))).toThrow(
      'Schemas of "zod" offer no JSON Schema. This one is of zod 3: install zod 4.2 or newer, or convert it with zod-to-json-schema.',
    );
    expect(() => schemaOf(mini.object({ a: mini.string() }))).toThrow(
      'Schemas of "zod" offer no JSON Schema. It needs zod 4.2 or newer, and not zod/mini.',
    );
  });
});

describe('mergeObjectSchema', () => {
  it('moves definitions to the root and renames those that clash', () => {
    const tree = {
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    };
    const other = { $ref: '#/$defs/Node', $defs: { Node: { type: 'string' } } };
    const self = { type: 'object', properties: { again: { $ref: '#' } } };
    const merged = mergeObjectSchema('All', [
      { name: 'a', index: 0, schema: tree, required: true },
      { name: 'b', index: 1, schema: other, required: false },
      { name: 'c', index: 2, schema: self, required: false },
    ]);
    expect(merged).toEqual({
      type: 'object',
      title: 'All',
      properties: {
        a: { $ref: '#/$defs/Node' },
        b: { $ref: '#/$defs/Node_2' },
        c: { $ref: '#/$defs/c' },
      },
      required: ['a'],
      additionalProperties: false,
      $defs: {
        Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
        Node_2: { type: 'string' },
        c: { type: 'object', properties: { again: { $ref: '#/$defs/c' } } },
      },
    });
    expect(problems(merged, { a: { next: {} }, b: 'x', c: { again: { again: {} } } })).toEqual([]);
    expect(problems(merged, { a: { next: 1 } })).toHaveLength(1);
  });
});

describe('mergeObjectSchema of a class that reaches itself', () => {
  it('has it once, among the definitions', () => {
    class Tree {
      @ValidateNested({ each: true })
      @Type(() => Tree)
      children: Tree[] = [];
    }
    const schema = { ...schemaOf(Tree), description: 'What to plant' };
    const merged = mergeObjectSchema(undefined, [
      { name: 'tree', index: 0, schema, required: true },
    ]);
    expect(merged.properties).toEqual({
      tree: { $ref: '#/$defs/Tree', description: 'What to plant' },
    });
    expect(problems(merged, { tree: { children: [{ children: [] }] } })).toEqual([]);
    expect(problems(merged, { tree: { children: [{ other: 1 }] } })).toHaveLength(1);
    expect(exampleOf(merged)).toEqual({ tree: {} });
  });
});

describe('exampleOf', () => {
  it.each<[JsonObject]>([
    [
      {
        type: 'object',
        properties: {
          id: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}(?:x|y)\\w?$', minLength: 9 },
        },
        required: ['id'],
      },
    ],
    [{ type: 'integer', minimum: 7, exclusiveMaximum: 10, multipleOf: 4 }],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
    [{ type: 'object', minProperties: 2, additionalProperties: { type: 'number' } }],
    [{ oneOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] }],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { type: 'string', format: 'date' } }, required: ['b'] },
        ],
      },
    ],
    [
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'boolean' }],
        items: false,
        minItems: 2,
      },
    ],
    [
      {
        type: 'object',
        properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
        required: ['next'],
      },
    ],
    [{ type: 'string', not: { enum: ['text'] } }],
    [{ type: 'string', minLength: 30, maxLength: 31 }],
    [{ type: 'object', required: ['a', 'b'], additionalProperties: { type: 'number' } }],
    [{ type: 'string', pattern: '^\\w\\@$', examples: ['a@'] }],
    [{ type: 'string', pattern: '^\\x01$' }],
    [
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a', default: 2 } },
        required: ['a', 'b'],
      },
    ],
    [{ type: 'string', pattern: '^[a-z]+(?:-[a-z]+)*$', minLength: 10, maxLength: 10 }],
    [{ type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }],
    [{ type: 'string', pattern: '^(?=.*\\d)(?!1)[\\w-]{3,}$', examples: ['no-digit', 'a-1'] }],
    [{ type: 'string', pattern: '^[ก-๙]{2}$' }],
  ])('is valid: %j', (schema) => {
    const example = exampleOf(schema);
    expect([example, problems(schema, example)]).toEqual([example, []]);
  });
});

describe('exampleOf of classes that require one another', () => {
  const required = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

  it('ends where one comes again', () => {
    const id: JsonSchema = { type: 'string', examples: ['a'] };
    const $defs = {
      User: required({ id, posts: { type: 'array', items: ref('Post') }, last: ref('Post') }),
      Post: required({ id, user: ref('User') }),
    };
    expect(exampleOf({ ...ref('User'), $defs })).toEqual({
      id: 'a',
      posts: [{ id: 'a', user: {} }],
      last: { id: 'a', user: {} },
    });
  });

  it('takes another branch where one comes again', () => {
    const Node = required({
      next: { anyOf: [ref('Node'), { type: 'null' }] },
      others: { type: 'array', items: ref('Node') },
    });
    const schema = { ...ref('Node'), $defs: { Node } };
    expect(exampleOf(schema)).toEqual({ next: null, others: [] });
    expect(problems(schema, exampleOf(schema))).toEqual([]);
  });

  it.each<[string, JsonSchema]>([
    ['of itself', { type: 'array', minItems: 2, items: { $ref: '#' } }],
    [
      'of a union with it',
      {
        ...ref('Term'),
        $defs: {
          Term: {
            anyOf: [
              required({ and: { type: 'array', minItems: 2, items: ref('Term') } }),
              { type: 'array', minItems: 2, items: ref('Term') },
            ],
          },
        },
      },
    ],
  ])('stays small where a list requires members %s', (_, schema) => {
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(100_000);
  });

  const leaf = required({ value: { type: 'string' } });
  const both = required({ left: ref('Term'), right: required({ term: ref('Term') }) });

  it.each<[string, Record<string, JsonSchema>]>([
    ['inline branches', { Term: { anyOf: [both, leaf] } }],
    ['named branches', { Term: { oneOf: [ref('Both'), ref('Leaf')] }, Both: both, Leaf: leaf }],
    ['a list of itself', { Term: { type: 'array', minItems: 0, items: ref('Term') } }],
  ])('ends in a union that contains itself: %s', (_, $defs) => {
    const schema = { ...required({ term: ref('Term') }), $defs };
    expect(problems(schema, exampleOf(schema))).toEqual([]);
  });

  it.each<[string, JsonSchema]>([
    ['a union', { anyOf: [required({ next: ref('Node') })] }],
    ['references in allOf', required({ next: { allOf: [ref('Node')] } })],
  ])('ends where no value does: %s', (_, Node) => {
    const schema = { ...required({ node: { allOf: [ref('Node')] } }), $defs: { Node } };
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(100);
  });

  it('is bounded where there are many of them', () => {
    const names = Array.from({ length: 12 }, (_, index) => `Class${index}`);
    const all = Object.fromEntries(names.map((name) => [name, ref(name)]));
    const $defs = Object.fromEntries(names.map((name) => [name, required(all)]));
    const example = JSON.stringify(exampleOf({ ...required(all), $defs }));
    expect(example.length).toBeLessThan(100_000);
  });
});

describe('exampleOf a pattern that is hard to satisfy', () => {
  it.each([
    '^((a{1000}){1000}){1000}$',
    '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$',
    '^(a)\\1$',
    '^[^\\s\\S]$',
  ])('gives other text: %s', (pattern) => {
    expect(exampleOf({ type: 'string', pattern })).toBe('text');
  });
});

describe('describeMethodResult of @ApiResponse({ schema })', () => {
  class Controller {
    @ApiExtraModels(AddressDto)
    @ApiOkResponse({
      schema: {
        type: 'object',
        properties: {
          total: { type: 'integer' },
          items: { type: 'array', items: { $ref: getSchemaPath(AddressDto) } },
        },
        required: ['total', 'items'],
      },
    })
    page(): unknown {
      return {};
    }

    @ApiOkResponse({ schema: { $ref: '#/components/schemas/Elsewhere' } })
    unknown(): unknown {
      return {};
    }

    @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
    file(): unknown {
      return {};
    }
  }

  it('checks what it says, and leaves other keys alone', () => {
    const page = describeMethodResult(Controller, 'page', {}) ?? {};
    const items = [{ street: 'Main', zip: '12345', more: 1 }];
    expect(problems(page, { total: 1, items, next: 2 })).toEqual([]);
    expect(problems(page, { total: 'x', items: [{}] })).toEqual([
      '/total must be integer',
      '/items/0/street is required',
      '/items/0/zip is required',
    ]);
  });

  it('says nothing of what it does not know, nor of files', () => {
    expect(describeMethodResult(Controller, 'unknown', {})).toBeUndefined();
    expect(describeMethodResult(Controller, 'file', {})).toBeUndefined();
  });

  it('leaves keys alone that the metadata of a property does not list', () => {
    class Answer {
      @ApiProperty({ type: 'object', properties: { a: { type: 'integer' } } })
      inside!: object;
    }
    expect(problems(outputSchemaOf(Answer), { inside: { a: 1, b: 2 } })).toEqual([]);
    expect(problems(schemaOf(Answer), { inside: { a: 1, b: 2 } })).toHaveLength(1);
  });
});
