import {
  type ArgumentMetadata,
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  ValidationPipe,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { JsonSchema } from '../../tool';
import { pipeSchemaOf } from './pipe-schema';
import { SchemaValidator } from '../arguments/schema-validator';

class NameDto {
  @IsString()
  name!: string;
}
class TreeDto {
  @IsString()
  name!: string;

  @ValidateNested({ each: true })
  @Type(() => TreeDto)
  parts!: TreeDto[];
}
class OwnIntPipe extends ParseIntPipe {}
class MePipe extends ParseUUIDPipe {
  override async transform(value: string, metadata: ArgumentMetadata): Promise<string> {
    return value === 'me' ? value : super.transform(value, metadata);
  }
}
class PagePipe extends ParseIntPipe {
  override async transform(value: string, metadata: ArgumentMetadata): Promise<number> {
    return value === 'last' ? -1 : super.transform(value, metadata);
  }
}
class ShadePipe extends ParseEnumPipe {
  override async transform(value: string, metadata: ArgumentMetadata): Promise<unknown> {
    return super.transform(value.toLowerCase(), metadata);
  }
}
class NamesPipe extends ParseArrayPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return value === 'all' ? [] : super.transform(value, metadata);
  }
}
class ZodPipe {
  constructor(readonly schema: unknown) {}
  transform(value: unknown): unknown {
    return value;
  }
}

const AS_SENT = { isTextTaken: true };
const AS_TEXT = { isTextTaken: false };
const takes = (schema: JsonSchema | undefined, value: unknown) =>
  new SchemaValidator(schema ?? {}).check(value).length === 0;

describe('pipeSchemaOf', () => {
  it('says nothing of pipes it does not know', () => {
    expect(pipeSchemaOf([], AS_SENT)).toEqual({});
    expect(pipeSchemaOf([{ transform: () => 1 }, class Own {}, undefined], AS_SENT)).toEqual({});
  });

  it('takes any text besides where a pipe of Nest is extended', () => {
    const of = (pipe: unknown) => pipeSchemaOf([pipe], AS_TEXT);
    expect(of(MePipe)).toEqual({ schema: { type: 'string' } });
    expect(of(new MePipe({ version: '4' }))).toEqual({
      schema: { type: 'string', description: 'UUID v4' },
    });
    expect(of(PagePipe)).toEqual({ schema: { type: ['integer', 'string'] } });
    expect(of(new ShadePipe({ dark: 'dark', light: 'light' }))).toEqual({
      schema: { type: 'string', description: 'such as dark, light' },
    });
  });

  it('keeps what is known of the items where a list may also be a text', () => {
    const { schema } = pipeSchemaOf([new NamesPipe({ items: TreeDto })], AS_TEXT);
    const list = pipeSchemaOf([new ParseArrayPipe({ items: TreeDto })], AS_TEXT).schema;
    expect(schema).toEqual({ ...list, type: ['array', 'string'] });
    expect(schema?.$defs).toBeDefined();
    expect([takes(schema, 'all'), takes(schema, [{ parts: [{}] }])]).toEqual([true, false]);
  });

  it('describes text too only where a pipe meets what the model sent', () => {
    for (const pipe of [ParseIntPipe, new ParseIntPipe(), OwnIntPipe, new OwnIntPipe()]) {
      expect(takes(pipeSchemaOf([pipe], AS_SENT).schema, '7')).toBe(true);
      expect(pipeSchemaOf([pipe], AS_TEXT)).toEqual({
        schema: { type: 'integer' },
        isRequired: true,
      });
    }
    expect(takes(pipeSchemaOf([ParseDatePipe], AS_SENT).schema, 0)).toBe(true);
    const date = pipeSchemaOf([ParseDatePipe], AS_TEXT).schema;
    expect([takes(date, '2024-05-01'), takes(date, 'May'), takes(date, 0)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(pipeSchemaOf([ParseArrayPipe], AS_TEXT).schema).toEqual({
      type: 'array',
      items: { type: 'string' },
    });
  });

  it('knows what may be missing: the first pipe that minds decides', () => {
    const optional = new ParseBoolPipe({ optional: true });
    expect(pipeSchemaOf([new PagePipe({ optional: true })], AS_TEXT).isRequired).toBe(false);
    const byDefault = new DefaultValuePipe(5);
    expect(pipeSchemaOf([optional], AS_TEXT).isRequired).toBe(false);
    expect(pipeSchemaOf([byDefault, ParseIntPipe], AS_TEXT)).toEqual({
      schema: { type: 'integer' },
      isRequired: false,
      default: 5,
    });
    expect(pipeSchemaOf([ParseIntPipe, byDefault], AS_TEXT).isRequired).toBe(true);
    const now = new DefaultValuePipe(new Date(0));
    expect(pipeSchemaOf([now], AS_SENT).default).toBe('1970-01-01T00:00:00.000Z');
    expect(pipeSchemaOf([new DefaultValuePipe(() => 1)], AS_SENT)).toEqual({ isRequired: false });
  });

  it('reads from a schema of zod whether a value may be missing', () => {
    const required = (schema: unknown) => pipeSchemaOf([new ZodPipe(schema)], AS_TEXT).isRequired;
    expect(required(z.string().optional())).toBe(false);
    expect(required(z.string().default('a'))).toBe(false);
    expect(required(z.string())).toBeUndefined();
    expect(required(z.preprocess(String, z.string()))).toBeUndefined();
    expect(required(z.unknown())).toBe(false);
    expect(required(z.preprocess(String, z.any()))).toBe(false);
    expect(required(z.preprocess(String, z.string()).transform(Number))).toBeUndefined();
    expect(required(z.preprocess(String, z.string().optional()))).toBe(false);
    expect(required(z.preprocess(String, z.string()).optional())).toBe(false);
    const isNeverAsked = z
      .string()
      .optional()
      .refine(() => Promise.reject(new Error('asked')));
    expect(required(isNeverAsked)).toBe(false);
  });

  it('shows a default that a pipe converts as the value that it becomes', () => {
    const defaultOf = (value: unknown, ...pipes: unknown[]): unknown =>
      pipeSchemaOf([new DefaultValuePipe(value), ...pipes], AS_TEXT).default;
    expect(defaultOf('100', ParseIntPipe)).toBe(100);
    expect(defaultOf('0.5', new ParseFloatPipe())).toBe(0.5);
    expect(defaultOf('false', ParseBoolPipe)).toBe(false);
    expect(defaultOf('new,hot', new ParseArrayPipe())).toEqual(['new', 'hot']);
    expect(defaultOf('1;2', new ParseArrayPipe({ items: Number, separator: ';' }))).toEqual([1, 2]);
    expect(defaultOf(['1', '2'], new ParseArrayPipe({ items: Number }))).toEqual([1, 2]);
    expect(defaultOf('100')).toBe('100');
    expect(defaultOf('many', ParseIntPipe)).toBeUndefined(); // the pipe refuses it
    expect(defaultOf('1.5', ParseIntPipe)).toBeUndefined();
    expect(defaultOf(1.5, ParseIntPipe)).toBeUndefined();
    expect(defaultOf(1, ParseFloatPipe)).toBe(1);
    expect(defaultOf('green', new ParseEnumPipe({ A: 'red' }))).toBeUndefined();
    expect(defaultOf([1, 1.5], new ZodPipe(z.array(z.int())))).toBeUndefined();
    const asSent = pipeSchemaOf([new DefaultValuePipe('100'), ParseIntPipe], AS_SENT);
    expect(asSent.default).toBe('100');
  });

  it('reads enums, versions and classes', () => {
    expect(pipeSchemaOf([new ParseEnumPipe({ A: 'a', B: 'b' })], AS_TEXT).schema).toEqual({
      type: 'string',
      enum: ['a', 'b'],
    });
    const uuid = pipeSchemaOf([new ParseUUIDPipe({ version: '4' })], AS_TEXT).schema;
    expect(takes(uuid, '123e4567-e89b-42d3-a456-426614174000')).toBe(true);
    expect([takes(uuid, '123e4567'), uuid?.description]).toEqual([false, 'UUID v4']);
    const list = pipeSchemaOf([new ParseArrayPipe({ items: NameDto })], AS_TEXT).schema;
    expect([takes(list, [{ name: 'a' }]), takes(list, [{}])]).toEqual([true, false]);
  });

  it('reads what a pipe validates with', () => {
    const whole = new ValidationPipe({ expectedType: NameDto });
    expect(pipeSchemaOf([whole], AS_TEXT).schema).toMatchObject({ title: 'NameDto' });
    const zod = new ZodPipe(z.object({ a: z.number() }));
    expect(pipeSchemaOf([zod], AS_SENT)).toMatchObject({ schema: { required: ['a'] } });
  });

  it('knows nothing of a schema whose library offers no JSON Schema, such as zod 3', () => {
    const older = z3.object({ a: z3.number() });
    expect(older).toHaveProperty('~standard');
    expect(pipeSchemaOf([new ZodPipe(older)], AS_SENT)).toEqual({ isRequired: false });
    expect(pipeSchemaOf([ParseIntPipe, new ZodPipe(z3.number())], AS_SENT).schema).toBeDefined();
  });

  it('knows which missing values every ValidationPipe skips, also those around', () => {
    const skippedBy = (...outer: readonly unknown[]) =>
      pipeSchemaOf([], { isTextTaken: false, outer }).checks?.skipped;
    const missing = new ValidationPipe({ skipMissingProperties: true });
    const absent = new ValidationPipe({ skipUndefinedProperties: true });
    const both = new ValidationPipe({ skipUndefinedProperties: true, skipNullProperties: true });
    class StrictPipe extends ValidationPipe {}
    expect([skippedBy(missing), skippedBy(both, missing, ParseIntPipe)]).toEqual([
      'nullish',
      'nullish',
    ]);
    expect([skippedBy(absent), skippedBy(missing, absent)]).toEqual(['absent', 'absent']);
    expect(skippedBy()).toBeUndefined();
    for (const strict of [ValidationPipe, StrictPipe, new ValidationPipe()])
      expect(skippedBy(missing, strict)).toBeUndefined();
  });
});
