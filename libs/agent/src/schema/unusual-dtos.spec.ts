import 'reflect-metadata';
import { ApiProperty } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDate,
  IsDateString,
  IsDefined,
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  NotEquals,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { exampleOf, schemaOf, SchemaValidator, toInstance } from './index';

/** What a method receives for the arguments. */
async function received<Dto>(type: new () => Dto, value: object): Promise<Dto> {
  const accepted = new SchemaValidator(schemaOf(type)).accept(value as never);
  return (await toInstance(type, accepted)) as Dto;
}

class Item {
  @IsString()
  name!: string;
}

/** The time without its milliseconds. */
const wholeSecond = () => new Date().toISOString().replace(/\.\d+Z/, '.000Z');

describe('DTOs as applications have them', () => {
  it('leave text where a date is typed and its text is what the rules are about', async () => {
    class Dto {
      @IsDateString() from!: Date;
      @IsOptional() @IsInt() at?: Date;
      @IsDefined() to!: Date;
    }
    expect(await received(Dto, { from: '2024-05-01', at: 5, to: '2024-05-02' })).toEqual({
      from: '2024-05-01',
      at: 5,
      to: new Date('2024-05-02'),
    });
  });

  it('say in one type that a field may be left out and must not be null', () => {
    // What one decorator of an application for optional fields combines.
    class Dto {
      @ValidateIf((_, value) => value !== undefined)
      @Type(() => Number)
      @NotEquals(null)
      @IsInt()
      @Min(1)
      @Max(50)
      take?: number;

      @ValidateIf((_, value) => value !== undefined)
      @NotEquals(null)
      @IsIn(['up', 'down'])
      to?: string;
      @NotEquals(null) @IsString() text!: string;
      @NotEquals(null) other!: unknown;

      // Asked about null, it throws.
      @ValidateIf((one: Dto, _) => one.text.length > 2)
      @IsString()
      more?: string;
    }
    const schema = schemaOf(Dto);
    expect(schema.properties).toMatchObject({
      take: { type: ['integer', 'string'], minimum: 1, maximum: 50 },
      to: { type: 'string', enum: ['up', 'down'] },
      text: { type: 'string' },
      other: { not: { type: 'null' } },
      more: { type: ['string', 'null'] },
    });
    expect(JSON.stringify(schema)).not.toMatch(/anyOf|enum":\[null/);
    expect(schema.properties?.text).not.toHaveProperty('not');
    expect(new SchemaValidator(schema).check({ take: 500, text: 'a', other: 1 })).toMatchObject([
      { path: '/take', message: 'must be <= 50' },
    ]);
  });

  it('leave what else the rules are about: numbers, lists, plain objects', async () => {
    class Dto {
      @IsInt() big!: bigint;
      @IsArray() @IsString({ each: true }) tags!: Set<string>;
      @IsNotEmptyObject() labels!: Map<string, string>;
    }
    const value = { big: 5, tags: ['a'], labels: { a: 'b' } };
    expect(await received(Dto, value)).toEqual(value);
  });

  it('make bigints of what a list, a set or a map holds', async () => {
    class Dto {
      @IsArray() @Type(() => BigInt) list!: bigint[];
      @IsDefined() @Type(() => BigInt) set!: Set<bigint>;
      @IsDefined() @Type(() => BigInt) map!: Map<string, bigint>;
    }
    expect(await received(Dto, { list: ['1', 2], set: ['3'], map: { a: '4' } })).toEqual({
      list: [1n, 2n],
      set: new Set([3n]),
      map: new Map([['a', 4n]]),
    });
  });

  it('may choose a type by the value: nothing is known of it', async () => {
    class Page {
      @Exclude() of: unknown = Item;
      @Type((help) => (help?.newObject as Page).of as typeof Item) @IsArray() items!: unknown[];
    }
    expect(schemaOf(Page).properties?.items).toEqual({ type: 'array', items: {} });
    expect((await received(Page, { items: [{ name: 'a' }] })).items).toEqual([
      Object.assign(new Item(), { name: 'a' }),
    ]);
  });

  it('may name a parameter of @Type that is not used', () => {
    class Dto {
      @ValidateNested() @Type((_type) => Item) item!: Item;
    }
    expect(schemaOf(Dto).properties?.item).toMatchObject({ title: 'Item' });
  });

  it('describe a list of lists of objects', async () => {
    class Grid {
      @IsArray()
      @IsArray({ each: true })
      @ValidateNested({ each: true })
      @Type(() => Item)
      rows!: Item[][];
    }
    expect(schemaOf(Grid).properties?.rows).toEqual({
      type: 'array',
      items: { type: 'array', items: schemaOf(Item) },
    });
    const { rows } = await received(Grid, { rows: [[{ name: 'a' }]] });
    expect(rows[0]?.[0]).toBeInstanceOf(Item);
    await expect(received(Grid, { rows: [[{ name: 1 }]] })).rejects.toThrow('/rows/0/0/name');
  });

  it('may call a list a list once more', async () => {
    class Dto {
      @Type(() => Array) @IsArray() items!: unknown[];
    }
    expect(await received(Dto, { items: [1, ['a']] })).toEqual({ items: [1, ['a']] });
  });

  it('may have bounds that are none, which JSON could not say', () => {
    class Dto {
      @Min(-Infinity) @Max(Infinity) number!: number;
      @MaxLength(Infinity) text!: string;
      @IsArray() @ArrayMaxSize(Infinity) list!: unknown[];
      @ApiProperty({ maximum: Infinity, type: Number }) api!: number;
    }
    expect(schemaOf(Dto).properties).toEqual({
      number: { type: 'number' },
      text: { type: 'string' },
      list: { type: 'array', items: {} },
      api: { type: 'number' },
    });
  });

  it('may say in OpenAPI metadata what no JSON Schema says', () => {
    class Dto {
      @ApiProperty({ pattern: '(', minLength: '2' as never, maxLength: 9 }) text!: string;
    }
    expect(schemaOf(Dto).properties?.text).toEqual({ type: 'string', maxLength: 9 });
    expect(exampleOf(schemaOf(Dto))).toEqual({ text: 'text' });
  });

  it('may name in OpenAPI metadata a function where a class belongs: its type is unknown', () => {
    class Other {}
    class Dto {
      @ApiProperty({ type: () => () => Other }) one!: object;
      @ApiProperty({ type: () => [() => Other] }) many!: object[];
    }
    expect(schemaOf(Dto).properties).toEqual({ one: {}, many: { type: 'array', items: {} } });
  });

  it('may have sizes that no value can exceed: they are left out', () => {
    class Dto {
      @IsString() @MaxLength(Number.MAX_SAFE_INTEGER) text!: string;
      @IsString() @Length(2, Number.MAX_SAFE_INTEGER) name!: string;
      @IsArray() @ArrayMinSize(0) @ArrayMaxSize(Number.MAX_SAFE_INTEGER) list!: unknown[];
    }
    expect(schemaOf(Dto).properties).toEqual({
      text: { type: 'string' },
      name: { type: 'string', minLength: 2 },
      list: { type: 'array', items: {} },
    });
  });

  it('may have an initial value that is another each time: no default to show', () => {
    class Dto {
      @IsUUID() id = crypto.randomUUID() as string;
      @IsDate() @Type(() => Date) at = new Date();
      @IsString() day = new Date().toISOString();
      @IsInt() time = Date.now();
      @IsDate() @Type(() => Date) since = new Date(0);
      @IsInt() page = 1;
    }
    const { properties = {}, required } = schemaOf(Dto);
    expect(required).toBeUndefined();
    for (const name of ['id', 'at', 'day', 'time'])
      expect(properties[name]).not.toHaveProperty('default');
    expect(properties.since?.default).toBe('1970-01-01T00:00:00.000Z');
    expect(properties.page?.default).toBe(1);
  });

  it('may have initial values that the plugin of swagger declares as defaults', () => {
    class Dto {
      static _OPENAPI_METADATA_FACTORY() {
        return {
          id: { required: false, type: () => String, default: crypto.randomUUID() },
          day: { required: false, type: () => String, default: wholeSecond() },
          page: { required: false, type: () => Number, default: 1 },
        };
      }
      @IsUUID() id = crypto.randomUUID() as string;
      @IsDateString() day = wholeSecond();
      @IsInt() page = 1;
    }
    const { properties = {} } = schemaOf(Dto);
    expect(properties.id).not.toHaveProperty('default');
    expect(properties.day).not.toHaveProperty('default');
    expect(properties.page?.default).toBe(1);
  });

  it('may have keys that are symbols', async () => {
    const key = Symbol('key');
    class Dto {
      @IsOptional() @IsString() [key]?: string;
      @IsString() name!: string;
    }
    expect(Object.keys(schemaOf(Dto).properties ?? {})).toEqual(['name']);
    expect(await received(Dto, { name: 'a' })).toEqual({ name: 'a' });
  });

  it('may have an enum that the compiler plugin of OpenAPI alone knows', () => {
    class Dto {
      one!: string;
      many?: string[];
      static _OPENAPI_METADATA_FACTORY() {
        const kinds = { Talk: 'talk', Show: 'show' };
        return {
          one: { required: true, enum: kinds },
          many: { required: false, enum: kinds, isArray: true },
        };
      }
    }
    const kind = { type: 'string', enum: ['talk', 'show'] };
    expect(schemaOf(Dto).properties).toEqual({ one: kind, many: { type: 'array', items: kind } });
  });

  it('are open where class-transformer leaves some fields out and names no others', async () => {
    class User {
      firstName!: string;
      @Exclude() password!: string;
      @Transform(({ value }) => String(value)) role!: string;
      @Expose() get fullName(): string {
        return this.firstName;
      }
    }
    expect(schemaOf(User)).toMatchObject({ properties: {}, additionalProperties: true });
    const user = await received(User, { firstName: 'Ann', role: 7, password: 'x' });
    expect(user).toEqual({ firstName: 'Ann', role: '7' });
    class Typed extends User {
      @Type(() => Number) age!: number;
    }
    expect(schemaOf(Typed)).toMatchObject({ properties: { age: {} }, additionalProperties: true });
  });

  it('are closed where class-transformer names their fields', () => {
    class Page {
      @Type(() => Number) size!: number;
    }
    class Shown {
      @Expose() name!: string;
    }
    @Exclude()
    class OnlyShown {
      @Expose() name!: string;
      @Exclude() secret!: string;
    }
    for (const type of [Page, Shown, OnlyShown])
      expect(schemaOf(type)).toMatchObject({ additionalProperties: false });
  });
});
