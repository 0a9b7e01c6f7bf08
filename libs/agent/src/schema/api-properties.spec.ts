import 'reflect-metadata';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayUnique,
  Contains,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEnum,
  IsHexadecimal,
  IsHexColor,
  IsInt,
  IsNegative,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import type { JsonSchema } from '../tool';
import { outputSchemaOf, schemaOf, SchemaValidator } from './index';

const problems = (schema: JsonSchema, value: unknown): readonly string[] =>
  new SchemaValidator(schema).check(value).map(({ path, message }) => `${path} ${message}`);

const propertiesOf = (type: new () => object) => schemaOf(type).properties;

enum Kind {
  Talk = 'talk',
  Show = 'show',
}

class Cat {
  @ApiProperty({ enum: ['cat'] })
  kind!: string;

  @ApiProperty()
  lives!: number;
}

class Dog {
  @ApiProperty({ enum: ['dog'] })
  kind!: string;

  @ApiProperty()
  isGood!: boolean;
}

const either = [{ $ref: getSchemaPath(Cat) }, { $ref: getSchemaPath(Dog) }];
const mapping = { cat: getSchemaPath(Cat), dog: getSchemaPath(Dog) };
const pet = { oneOf: either, discriminator: { propertyName: 'kind', mapping } };

describe('what @ApiProperty alone says', () => {
  it('of whether an object is required beside what is required inside it', () => {
    class Dto {
      @ApiProperty({
        type: 'object',
        selfRequired: false,
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
      })
      optional?: object;

      @ApiProperty({ type: 'object', selfRequired: true, properties: {}, required: [] })
      required!: object;

      @ApiProperty({ type: 'object', properties: {}, required: [] })
      unsaid!: object;
    }
    const { required, properties } = schemaOf(Dto);
    expect(required).toEqual(['required', 'unsaid']);
    expect(properties?.optional).toMatchObject({ required: ['a'] });
    expect(properties?.optional).not.toHaveProperty('selfRequired');
  });

  it('with descriptions over several lines, without the blanks around them', () => {
    class MenuDto {
      @ApiProperty({
        description: `
          The kind:
          0 or 1
        `,
      })
      kind!: number;
    }
    expect(schemaOf(MenuDto).properties?.['kind']?.description).toMatch(/^The kind:\n +0 or 1$/);
  });

  it('of what is nested: descriptions, defaults, examples and constants', () => {
    class Dto {
      @ApiProperty({
        type: 'object',
        description: 'How it looks',
        properties: {
          colour: { type: 'string', description: 'By name', default: 'red', example: 'blue' },
          inner: {
            type: 'object',
            properties: { size: { type: 'integer', description: 'In mm' } },
          },
        },
        default: { colour: 'red' },
      })
      look!: object;

      @ApiProperty({ type: 'array', items: { type: 'string', description: 'One word' } })
      words!: string[];
    }
    expect(propertiesOf(Dto)).toEqual({
      look: {
        type: 'object',
        description: 'How it looks',
        properties: {
          colour: {
            type: 'string',
            description: 'By name',
            default: 'red',
            examples: ['blue'],
          },
          inner: {
            type: 'object',
            properties: { size: { type: 'integer', description: 'In mm' } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
        default: { colour: 'red' },
      },
      words: { type: 'array', items: { type: 'string', description: 'One word' } },
    });
  });

  it('in the metadata that nestjs-zod makes of schemas without JSON Schema of their own', () => {
    class TodoDto {
      static _OPENAPI_METADATA_FACTORY() {
        return {
          kind: { type: 'string', const: 'todo', default: 'todo', required: false },
          done: { type: 'boolean', const: false, required: true },
          count: { type: 'integer', minimum: 0, maximum: 9007199254740991, required: true },
          owner: { type: '', anyOf: [{ type: 'string' }, { type: 'null' }], required: true },
          meta: {
            type: 'object',
            properties: { colour: { type: 'string', description: 'Of the note' } },
            required: ['colour'],
            additionalProperties: false,
            selfRequired: false,
          },
        };
      }
    }
    const schema = schemaOf(TodoDto);
    expect(schema.required).toEqual(['done', 'count', 'owner']);
    expect(schema.properties).toEqual({
      kind: { type: 'string', enum: ['todo'], default: 'todo' },
      done: { type: 'boolean', enum: [false] },
      count: { type: 'integer', minimum: 0 },
      owner: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      meta: {
        type: 'object',
        properties: { colour: { type: 'string', description: 'Of the note' } },
        required: ['colour'],
        additionalProperties: false,
      },
    });
    expect(problems(schema, { done: true, count: 2 ** 53, owner: null })).toEqual([
      '/done must be one of false',
      '/count must be <= 9007199254740991',
    ]);
  });

  it('in the metadata that the compiler plugin makes of inline object types', () => {
    const size = () => ({
      width: { required: true, type: () => Number, minimum: 0, description: 'In mm' },
      note: { required: false, type: () => String, nullable: true },
    });
    class BoxDto {
      [key: string]: unknown;
      static _OPENAPI_METADATA_FACTORY() {
        return {
          size: { required: true, type: size },
          parts: { required: false, type: () => [size()] },
          anything: { required: false, type: () => ({}) },
          mistaken: { required: false, type: { name: String } },
        };
      }
    }
    const inside = {
      type: 'object',
      properties: {
        width: { type: 'number', minimum: 0, description: 'In mm' },
        note: { type: ['string', 'null'] },
      },
      required: ['width'],
    };
    const closed = { ...inside, additionalProperties: false };
    expect(schemaOf(BoxDto)).toMatchObject({
      properties: {
        size: closed,
        parts: { type: 'array', items: closed },
        anything: {},
        mistaken: {},
      },
      required: ['size'],
    });
    expect(outputSchemaOf(BoxDto).properties?.['size']).toEqual({
      ...inside,
      additionalProperties: true,
    });
  });

  it('of several classes told apart by a property', () => {
    @ApiExtraModels(Cat, Dog)
    class Dto {
      @ApiProperty(pet) one!: Cat | Dog;
      @ApiProperty({ type: 'array', items: pet }) many!: (Cat | Dog)[];
      @ApiPropertyOptional({ ...pet, nullable: true }) none?: Cat | Dog | null;
    }
    const schema = schemaOf(Dto);
    const cat = { kind: 'cat', lives: 7 };
    const dog = { kind: 'dog', isGood: true };
    expect(problems(schema, { one: cat, many: [dog, cat], none: null })).toEqual([]);
    expect(problems(schema, { one: { kind: 'cat' }, many: [{ kind: 'dog', lives: 7 }] })).toEqual([
      '/one/lives is required',
      '/many/0/isGood is required',
      '/many/0/lives is not a known argument',
    ]);
    expect(problems(schema, { one: { kind: 'cow' }, many: [] })).toEqual([
      '/one/kind must be one of "cat", "dog"',
    ]);
  });

  it('of several classes whose own values of the tag are others than documented', () => {
    @ApiExtraModels(Cat, Dog)
    class Dto {
      @ApiProperty({
        oneOf: either,
        discriminator: {
          propertyName: 'kind',
          mapping: { Cat: getSchemaPath(Cat), Dog: getSchemaPath(Dog) },
        },
      })
      pet!: Cat | Dog;
    }
    const schema = schemaOf(Dto);
    expect(JSON.stringify(schema)).not.toContain('"enum":[]');
    expect(problems(schema, { pet: { kind: 'cat', lives: 7 } })).toEqual([]);
  });
});

describe('what @ApiProperty says beside validators', () => {
  it('lists the values', () => {
    class Dto {
      @ApiProperty({ enum: Kind }) @IsString() one!: Kind;
      @ApiProperty({ enum: Kind, isArray: true }) @IsString({ each: true }) many!: Kind[];
      @ApiProperty({ enum: Kind, isArray: true }) @IsArray() list!: Kind[];
      @ApiProperty({ enum: [10, 20] }) @Type(() => Number) @IsInt() size!: number;
      @ApiProperty({ enum: ['talk'] }) @IsEnum(Kind) checked!: Kind;
      @ApiProperty({ const: 'v1' } as never) @IsString() version!: string;
    }
    const kind = { type: 'string', enum: ['talk', 'show'] };
    expect(propertiesOf(Dto)).toEqual({
      one: kind,
      many: { type: 'array', items: kind },
      list: { type: 'array', items: kind },
      // In a query it is text.
      size: { type: ['integer', 'string'], enum: [10, 20, '10', '20'] },
      // The application takes both.
      checked: kind,
      version: { type: 'string', enum: ['v1'] },
    });
  });

  it('lists the values of several enums, of booleans and of null', () => {
    enum Mood {
      Calm = 'calm',
    }
    class Dto {
      @ApiProperty({ enum: [Kind, Mood] }) @IsString() either!: Kind | Mood;
      @ApiProperty({ enum: [Kind, Mood] }) documented!: Kind | Mood;
      @ApiProperty({ enum: [true] }) @IsBoolean() accepted!: boolean;
      @ApiProperty({ enum: ['talk', null], nullable: true }) kind!: Kind | null;
      @ApiProperty({ enum: [] }) @IsString() unlisted!: string;
    }
    const either = { type: 'string', enum: ['talk', 'show', 'calm'] };
    expect(propertiesOf(Dto)).toEqual({
      either,
      documented: either,
      accepted: { type: 'boolean', enum: [true] },
      kind: { type: ['string', 'null'], enum: ['talk', null] },
      unlisted: { type: 'string' },
    });
  });

  it('sets bounds, and the narrower ones count', () => {
    class Dto {
      @ApiProperty({ minimum: 1, maximum: 100 }) @IsInt() @Min(0) @Max(50) take!: number;
      @ApiProperty({ minLength: 2, maxLength: 5, pattern: '^a' }) @IsString() text!: string;
      @ApiProperty({ type: [String], minItems: 1, uniqueItems: true })
      @IsArray()
      @IsString({ each: true })
      tags!: string[];
      @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 1, description: 'Years' } })
      @IsInt({ each: true })
      years!: number[];
      @ApiProperty({ minimum: 0, exclusiveMinimum: true }) @IsNumber() price!: number;
      @ApiProperty({ format: 'email', maximum: 3 }) @IsString() mail!: string;
    }
    expect(propertiesOf(Dto)).toEqual({
      take: { type: 'integer', minimum: 1, maximum: 50 },
      text: { type: 'string', minLength: 2, maxLength: 5, pattern: '^a' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
      years: { type: 'array', items: { type: 'integer', minimum: 1, description: 'Years' } },
      price: { type: 'number', exclusiveMinimum: 0 },
      mail: { type: 'string', format: 'email' },
    });
  });

  it('has no say in what its compiler plugin makes of a rule and refuses more than the rule', () => {
    class Dto {
      @IsString() @Matches(/^[A-Z]+$/i) code!: string;
      @IsOptional() @IsPositive() price?: number;
      @IsOptional() @IsNegative() debt?: number;
      @IsOptional() @Transform(({ value }) => value as unknown) @IsPositive() weight?: number;
      @IsOptional() @IsUrl() site?: string;
      @IsOptional() @IsEmail({ allow_display_name: true }) mail?: string;
      @IsOptional() @IsHexColor() colour?: string;
      @IsOptional() @IsHexadecimal() bytes?: string;
      @IsOptional() @Contains('$5') text?: string;
      @IsOptional() @IsArray() @ArrayUnique() lines?: object[];

      static _OPENAPI_METADATA_FACTORY() {
        return {
          code: { required: true, type: () => String, pattern: '^[A-Z]+$', maxLength: 3 },
          price: { required: false, type: () => Number, minimum: 1 },
          debt: { required: false, type: () => Number, maximum: -1 },
          weight: { required: false, type: () => Number, minimum: 1 },
          site: { required: false, type: () => String, format: 'uri' },
          mail: { required: false, type: () => String, format: 'email' },
          colour: { required: false, type: () => String, pattern: '^#?([0-9A-F]{3}|[0-9A-F]{6})$' },
          bytes: { required: false, type: () => String, pattern: '^(0x|0h)?[0-9A-F]+$' },
          text: { required: false, type: () => String, pattern: '$5' },
          lines: { required: false, type: () => [Object], uniqueItems: true },
        };
      }
    }
    const taken = {
      code: 'abc',
      price: 0.99,
      debt: -0.5,
      weight: 0.5,
      site: 'example.com',
      mail: 'Jane <jane@example.com>',
      colour: '#ff8800',
      bytes: 'ff',
      text: 'for $5',
      lines: [{ id: 1 }, { id: 1 }],
    };
    expect(validateSync(plainToInstance(Dto, taken))).toEqual([]);
    expect(problems(schemaOf(Dto), taken)).toEqual([]);
    expect(propertiesOf(Dto)?.code).toMatchObject({ type: 'string', maxLength: 3 });
  });

  it('makes a date of what a rule takes as a date-time as well', () => {
    class Dto {
      @ApiProperty({ type: String, format: 'date' }) @IsDateString() day!: string;
      @ApiProperty({ type: String, format: 'date' }) @Type(() => Date) @IsDate() due!: Date;
      @ApiProperty({ format: 'date-time' }) @IsDateString() at!: string;
    }
    const { day, due, at } = (propertiesOf(Dto) ?? {}) as Record<string, JsonSchema>;
    const shown = { examples: ['2024-05-01'], format: 'date' };
    expect(day).toMatchObject({ ...shown, description: 'ISO 8601 date' });
    expect(due).toMatchObject({
      ...shown,
      description: 'ISO 8601 date, or milliseconds since 1970',
    });
    expect(at).toMatchObject({ examples: ['2024-05-01T10:30:00Z'], format: 'date-time' });
    const taken = { day: '2024-05-01', due: '2024-05-01', at: '2024-05-01T10:30:00Z' };
    expect(problems(schemaOf(Dto), taken)).toEqual([]);
  });

  it('shows no example that is null or as long as a file', () => {
    class Dto {
      @ApiProperty({ example: null }) reply!: string;
      @ApiProperty({ example: 'x'.repeat(2_000) }) file!: string;
      @ApiProperty({ examples: [null, 'a', 'x'.repeat(2_000)] }) name!: string;
    }
    expect(propertiesOf(Dto)).toEqual({
      reply: { type: 'string' },
      file: { type: 'string' },
      name: { type: 'string', examples: ['a'] },
    });
  });

  it('says nothing of alternatives of which none is known', () => {
    class Dto {
      @ApiProperty({ oneOf: either }) one!: unknown;
      @ApiProperty({ anyOf: [{ type: 'string' }, { $ref: getSchemaPath(Cat) }] }) other!: unknown;
      @ApiProperty({ type: 'array', oneOf: either }) list!: unknown[];
    }
    expect(propertiesOf(Dto)).toEqual({
      one: {},
      other: { anyOf: [{ type: 'string' }, {}] },
      list: { type: 'array', items: {} },
    });
  });

  it('tells what rules about any value leave open', () => {
    @ApiExtraModels(Cat, Dog)
    class Dto {
      @ApiProperty({ type: 'string', format: 'date' }) @IsNotEmpty() day!: string;
      @ApiProperty({ type: 'integer', minimum: 1 }) @IsOptional() @IsNotEmpty() count?: number;
      @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }] }) @IsNotEmpty() id!: unknown;
      @ApiProperty(pet) @ValidateNested() pet!: Cat | Dog;
      @ApiProperty({ type: 'array', items: { $ref: getSchemaPath(Cat) } }) @IsArray() cats!: Cat[];
    }
    const schema = schemaOf(Dto);
    expect(schema.properties).toMatchObject({
      day: { type: 'string', format: 'date' },
      count: { type: 'integer', minimum: 1 },
      id: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    });
    const cat = { kind: 'cat', lives: 7 };
    const value = { day: '2027-01-01', id: 5, pet: cat, cats: [cat] };
    expect(problems(schema, value)).toEqual([]);
    expect(problems(schema, { ...value, pet: { kind: 'cat' }, cats: [{ kind: 'cat' }] })).toEqual([
      '/pet/lives is required',
      '/cats/0/lives is required',
    ]);
  });

  it('says that a value is a list where the rules tell of no type', () => {
    const text = { type: 'array', items: { type: 'string' } };
    class Dto {
      @ApiProperty({ type: [String] }) @IsNotEmpty() names!: string[] | null;
      @ApiProperty({ type: [Cat] }) @IsDefined() @ValidateNested() cats!: Cat[] | null;
      @ApiProperty({ type: [String] }) @IsString() single!: unknown;
      @ApiProperty() @IsDefined() @IsString({ each: true }) tags!: Set<string>;
      @ApiProperty() @IsDefined() anything!: Set<unknown>;
    }
    for (const name of ['names', 'cats'])
      Reflect.defineMetadata('design:type', Object, Dto.prototype, name);
    expect(propertiesOf(Dto)).toMatchObject({
      ...{ names: text, cats: { type: 'array', items: { title: 'Cat' } } },
      ...{ single: { type: 'string' }, tags: text, anything: { type: 'array', items: {} } },
    });
  });

  it('tells what goes over the wire before a transform, also under a condition', () => {
    const split = ({ value }: { value: string }) => value.split(',');
    class Dto {
      @ValidateIf((_, value) => value !== undefined)
      @ApiProperty({ type: String })
      @Transform(split)
      @IsString({ each: true })
      documented?: string[];

      @ValidateIf((_, value) => value !== null)
      @Transform(split)
      @IsString({ each: true })
      list?: string[];
    }
    expect(propertiesOf(Dto)).toEqual({
      documented: { type: 'string' },
      list: { type: ['array', 'string', 'null'], items: { type: 'string' } },
    });
  });

  it('does not bind the text of a list to what the compiler plugin reads of its members', () => {
    const split = ({ value }: { value: string }) => value.split(',');
    class Dto {
      @ApiProperty({ type: String })
      @Transform(split)
      @IsEnum(Kind, { each: true })
      kinds!: Kind[];

      @ApiPropertyOptional({ type: String, maxLength: 99 })
      @IsOptional()
      @Transform(split)
      @Length(2, 8, { each: true })
      words?: string[];

      @ApiProperty({ type: String })
      @IsString()
      kind!: Kind;

      // As swagger's compiler plugin emits them.
      static _OPENAPI_METADATA_FACTORY() {
        return {
          kinds: { required: true, enum: Kind, isArray: true },
          words: {
            ...{ required: false, type: () => [String], minLength: 2, maxLength: 8 },
            description: 'To look for',
          },
          kind: { required: true, enum: Kind },
        };
      }
    }
    const told = {
      kinds: { type: 'string' },
      words: { type: 'string', description: 'To look for', maxLength: 99 },
      kind: { type: 'string', enum: ['talk', 'show'] },
    };
    expect(propertiesOf(Dto)).toEqual(told);
    // Once swagger has made a document of a class, the metadata of its decorators has the plugin's as well.
    class Documented extends Dto {}
    const key = 'swagger/apiModelProperties';
    for (const [name, made] of Object.entries(Dto._OPENAPI_METADATA_FACTORY())) {
      const own = Reflect.getMetadata(key, Dto.prototype, name) as object;
      Reflect.defineMetadata(key, { ...made, ...own }, Documented.prototype, name);
    }
    expect(propertiesOf(Documented)).toEqual(told);
  });

  it('tells what goes over the wire before a transform to any object', () => {
    class Dto {
      @ApiProperty({ type: String })
      @Transform(({ value }) => JSON.parse(value as string) as unknown)
      @IsObject()
      filter!: Record<string, unknown>;
    }
    expect(propertiesOf(Dto)).toEqual({ filter: { type: 'string' } });
  });

  it('tells what is inside of any object', () => {
    class Dto {
      @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
      @IsObject()
      labels!: Record<string, string>;

      @ApiProperty({
        type: 'object',
        selfRequired: false,
        properties: { a: { type: 'integer', description: 'First' } },
      })
      @IsNotEmptyObject()
      meta!: object;

      @ApiProperty({ type: 'string' }) @IsObject() wrong!: object;
    }
    expect(propertiesOf(Dto)).toMatchObject({
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      meta: {
        type: 'object',
        properties: { a: { type: 'integer', description: 'First' } },
        additionalProperties: false,
      },
      wrong: { type: 'object' },
    });
    // A validator that refuses a missing value makes it required: the application runs it.
    expect(schemaOf(Dto).required).toContain('meta');
  });
});

describe('a documented default that JSON does not have', () => {
  class Collection {
    items: unknown[] = [];
    constructor(readonly owner: unknown) {}
  }
  class Entity {
    // As swagger's compiler plugin emits the initialisers.
    static _OPENAPI_METADATA_FACTORY() {
      return {
        posts: { required: true, type: () => Object, default: new Collection(this) },
        count: { required: true, type: () => Number, default: 3n },
        made: { required: false, type: () => Date, default: new Date() },
      };
    }
    posts = new Collection(this);
    count = 3;
    made? = new Date();
  }
  class Documented {
    @ApiPropertyOptional({ type: Number, default: 7n, example: 8n }) id?: number;
    @ApiPropertyOptional({ type: Object, default: () => 1, examples: [Collection] }) any?: object;
  }

  it('is left out, so that the schema can be copied', () => {
    const { properties } = schemaOf(Documented);
    expect(properties?.id).toMatchObject({ default: 7, examples: [8] });
    expect(Object.keys(properties?.any ?? {})).not.toContain('default');
    expect(Object.keys(properties?.any ?? {})).not.toContain('examples');
  });

  it('is left out where a getter of it fails, or it contains itself', () => {
    const failing = {
      get size(): number {
        throw new Error('not loaded');
      },
    };
    const twice: Record<string, unknown> = {};
    Object.assign(twice, { one: twice, other: twice });

    @ApiExtraModels(Cat)
    class Dto {
      @ApiPropertyOptional({ type: Object, default: failing, example: failing }) lazy?: object;
      @ApiPropertyOptional({ type: Object, default: twice }) twice?: object;
      @ApiPropertyOptional({
        items: { $ref: getSchemaPath(Cat) },
        type: 'array',
        default: [failing],
      })
      cats?: Cat[];
    }
    const { lazy, cats, ...others } = propertiesOf(Dto) ?? {};
    expect(lazy).toEqual({});
    expect(others.twice).not.toHaveProperty('default');
    expect(cats).toEqual({ type: 'array', items: { $ref: '#/$defs/Cat' } });
  });

  it('is left out where its parts are without number', () => {
    let graph: object = {};
    for (let level = 0; level < 64; level += 1) graph = { one: graph, other: graph };
    let chain: object = {};
    for (let level = 0; level < 9_990; level += 1) chain = { next: chain };
    const table = Array.from({ length: 1_000_000 }, () => 0);
    class Dto {
      @ApiPropertyOptional({ type: Object, default: graph }) graph?: object;
      @ApiPropertyOptional({ type: Object, default: chain }) chain?: object;
      @ApiPropertyOptional({ type: [Number], default: table, example: table }) table?: number[];
    }
    const { properties } = schemaOf(Dto);
    expect(properties?.graph).not.toHaveProperty('default');
    expect(properties?.chain).not.toHaveProperty('default');
    expect(properties?.table).toEqual({ type: 'array', items: { type: 'number' } });
  });

  it.each([schemaOf, outputSchemaOf])('is left out of an entity that holds itself', (describe) => {
    const { properties, required } = describe(Entity);
    expect(properties?.posts).not.toHaveProperty('default');
    expect(properties?.count).toMatchObject({ type: 'number', default: 3 });
    expect(properties?.made).not.toHaveProperty('default');
    expect(required ?? []).not.toContain('posts');
  });
});

describe('rules that say nothing', () => {
  it('are left out, of members as well', () => {
    class Dto {
      @IsArray() @IsUUID('4', { each: true }) @IsNotEmpty({ each: true }) tags!: string[];
      @IsInt() @Min(1) @Max(Number.MAX_SAFE_INTEGER) page!: number;
      @IsNumber() @Min(Number.MIN_SAFE_INTEGER) @Max(9) score!: number;
    }
    const { properties } = schemaOf(Dto);
    expect(properties?.tags?.items).not.toHaveProperty('not');
    expect(properties).toMatchObject({
      tags: { items: { type: 'string', format: 'uuid', minLength: 1 } },
      page: { type: 'integer', minimum: 1 },
      score: { type: 'number', maximum: 9 },
    });
    expect(properties?.page).not.toHaveProperty('maximum');
    expect(properties?.score).not.toHaveProperty('minimum');
  });
});

describe('a documented example', () => {
  class Parcel {
    @ApiProperty({ example: 'a parcel' })
    @IsUUID()
    id!: string;

    @ApiProperty({ examples: [0, 3] })
    @IsInt()
    @Min(1)
    count!: number;

    @ApiProperty({ enum: ['open', 'sent'], example: 'lost' })
    state!: string;

    @ApiProperty({ example: '3' })
    @Type(() => Number)
    @IsInt()
    weight!: number;
  }

  it('is left out if the rules of its property refuse it', () => {
    const { id, count, state, weight } = schemaOf(Parcel).properties ?? {};
    expect(id).not.toHaveProperty('examples', ['a parcel']);
    expect(count?.examples).toEqual([3]);
    expect(state).not.toHaveProperty('examples');
    expect(weight?.examples).toEqual(['3']);
  });
});
