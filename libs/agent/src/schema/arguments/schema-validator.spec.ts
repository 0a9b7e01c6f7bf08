import { Type } from 'class-transformer';
import {
  ArrayContains,
  ArrayNotContains,
  IsDecimal,
  IsDefined,
  IsEmail,
  IsInt,
  IsLatitude,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsNumberString,
  Matches,
  NotContains,
} from 'class-validator';
import { ToolField } from '../../decorators';
import type { JsonSchema } from '../../tool';
import { schemaOf } from '../from-class/schema-of';
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
    for (const price of [0.071, 19.999, 5e-324]) expect(problems(schema, price)).toHaveLength(1);
    expect(problems(schema, 1e307)).toEqual([]);
  });

  it('divides large numbers too', () => {
    const schema: JsonSchema = { type: 'number', multipleOf: 5 };
    for (const value of [1e22, -1e300, 10])
      expect(value % 5 === 0).toBe(problems(schema, value).length === 0);
    expect(problems(schema, 1e22)).toEqual([]);
    expect(problems(schema, 12)).toEqual([' must be multiple of 5']);
  });

  it('says what text is meant where its pattern is too long to read', () => {
    class Dto {
      @IsEmail() email!: string;
      @ToolField({ description: 'Number of the file', example: 'ab-2024-123456' })
      @Matches(/^(?:ab|cd|ef|gh|ij|kl|mn|op)-(?:19|20)[0-9]{2}-[0-9]{6}(?:-[a-z]{2})?$/)
      file!: string;
      @Matches(/^[A-Z]{3}$/) code!: string;
    }
    expect(problems(schemaOf(Dto), { email: 'a@b', file: 'x', code: 'x' })).toEqual([
      '/email must match format "email"',
      '/file must be: Number of the file, such as "ab-2024-123456"',
      '/code must match pattern "^[A-Z]{3}$"',
    ]);
  });

  it('says that text must be a number where its pattern is that of one', () => {
    class Dto {
      @Type(() => Number) @IsInt() page!: number;
      @Type(() => Number) @IsNumber() price!: number;
      @IsDefined() big!: bigint;
      @IsNumberString() limit!: string;
      @IsNumberString({ no_symbols: true }) digits!: string;
      @IsDecimal() amount!: string;
      @Matches(/^\d+$/) id!: string;
      @IsLatitude() lat!: string;
      @IsDefined() at!: Date;
    }
    const text = {
      page: 'x',
      price: 'x',
      big: 'x',
      limit: 'x',
      digits: '-1',
      amount: 'x',
      id: 'x',
      lat: 'x',
    };
    expect(problems(schemaOf(Dto), { ...text, at: 'x' })).toEqual([
      '/page must be a whole number',
      '/price must be a number',
      '/big must be a whole number',
      '/limit must be a number',
      '/digits must be a whole number, in digits alone',
      '/amount must be a number',
      '/id must be a whole number, in digits alone',
      '/lat must be a number',
      expect.stringMatching(/^\/at must match pattern/),
    ]);
  });

  it('takes international addresses, as class-validator does', () => {
    const schema = { type: 'string', format: 'email' };
    for (const address of ['jürgen@bücher.example', '"a b"@example.com', 'a+b@c.example.co'])
      expect(problems(schema, address)).toEqual([]);
  });

  it('says what must not be, and what a list must hold', () => {
    class Dto {
      @IsNotIn(['a', 2]) other!: string;
      @NotContains('-') plain!: string;
      @IsNotEmpty() some!: unknown;
      @ArrayContains(['x']) with!: string[];
      @ArrayNotContains(['y']) without!: string[];
    }
    const value = { other: 'a', plain: '-', some: null, with: ['y'], without: ['y'] };
    expect(problems(schemaOf(Dto), value)).toEqual([
      '/other must not be "a", 2',
      '/plain must not match pattern "-"',
      '/some must not be null',
      '/with must contain "x"',
      '/without must not contain "y"',
    ]);
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

  it('says the first problem alone of a large value, soon', () => {
    const schema: JsonSchema = {
      items: { $ref: '#/$defs/Item' },
      $defs: { Item: { type: 'object', required: ['a', 'b'] } },
    };
    const items = (length: number): unknown[] => Array.from({ length }, () => ({}));
    expect(problems(schema, items(5))).toHaveLength(10);
    // Takes minutes where all problems are gathered.
    expect(problems(schema, items(80_000))).toEqual(['/0/a is required']);
    expect(
      problems(
        schema,
        Array.from({ length: 5_000 }, () => ({ a: 1, b: 2 })),
      ),
    ).toEqual([]);
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

  it('knows no `$id` of another schema', () => {
    const user = { $id: 'https://a.example/user', type: 'object', required: ['name'] } as const;
    for (const schema of [{ properties: { user } }, user])
      expect(new SchemaValidator(schema).check({ name: 'a' })).toEqual([]);
  });

  it('loads ajv with the first check, not with the package', () => {
    const loaded: string[] = [];
    jest.isolateModules(() => {
      for (const name of ['ajv/dist/2020', 'ajv-formats'])
        jest.doMock(name, () => {
          loaded.push(name);
          return jest.requireActual<object>(name);
        });
      const schema = jest.requireActual<typeof import('../index')>('../index');
      const validator = new schema.SchemaValidator({ type: 'string', format: 'date' });
      expect(loaded).toEqual([]);
      expect(validator.check('x')).toHaveLength(1);
      expect(loaded).toEqual(['ajv/dist/2020', 'ajv-formats']);
    });
    jest.dontMock('ajv/dist/2020').dontMock('ajv-formats');
  });
});
