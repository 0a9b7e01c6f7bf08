import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../tool';
import { schemaOf, SchemaValidator, toInstance } from './index';

/** What a method receives for the arguments. */
async function received<Dto>(type: new () => Dto, value: object): Promise<Dto> {
  const accepted = new SchemaValidator(schemaOf(type)).accept(value as never);
  return (await toInstance(type, accepted)) as Dto;
}

const problemsOf = (schema: JsonSchema) => {
  const validator = new SchemaValidator(schema);
  const check = (value: unknown): readonly string[] =>
    validator.check(value).map(({ path, message }) => `${path} ${message}`);
  return { check };
};

const NULLABLE = { type: ['string', 'null'] };

describe('conditions of @ValidateIf', () => {
  it('that name the value and ignore it let null pass where they do not hold', async () => {
    class Dto {
      @IsOptional() @IsString() email?: string;

      @ValidateIf(({ email }: Dto, _) => email === undefined)
      @IsString()
      phone?: string | null;
    }
    expect(schemaOf(Dto).properties?.phone).toEqual(NULLABLE);
    const cleared = { email: 'a@b.co', phone: null };
    expect(await received(Dto, cleared)).toEqual(cleared);
    await expect(received(Dto, { phone: null })).rejects.toThrow('phone must be a string');
  });

  it('that ask the value and another field do the same', async () => {
    class Dto {
      @IsOptional() @IsString() kind?: string;

      @ValidateIf(({ kind }: Dto, size) => kind !== 'none' && size !== undefined)
      @IsString()
      size?: string | null;
    }
    expect(schemaOf(Dto).properties?.size).toEqual(NULLABLE);
    const without = { kind: 'none', size: null };
    expect(await received(Dto, without)).toEqual(without);
    await expect(received(Dto, { size: null })).rejects.toThrow('size must be a string');
  });

  it('that have every value but null checked require one', async () => {
    class Dto {
      @ValidateIf((_, value) => value !== null)
      @IsString()
      note!: string | null;

      @ValidateIf((_, value) => value !== null)
      @IsOptional()
      @IsString()
      hint?: string | null;
    }
    expect(schemaOf(Dto)).toMatchObject({
      properties: { note: NULLABLE, hint: NULLABLE },
      required: ['note'],
    });
    expect(await received(Dto, { note: null })).toEqual({ note: null });
    await expect(toInstance(Dto, {})).rejects.toThrow('note must be a string');
  });

  it('that let another documented type pass unchecked leave it to the model', async () => {
    class Sender {
      @IsString() name!: string;
    }
    const textOrSender = [
      { type: 'string', description: 'Its id' },
      { $ref: getSchemaPath(Sender) },
    ];
    @ApiExtraModels(Sender)
    class Dto {
      @ApiProperty({ oneOf: [...textOrSender, { type: 'number' }] })
      @ValidateIf((_, value) => typeof value !== 'string')
      @ValidateNested()
      @Type(() => Sender)
      from?: string | Sender;

      @ApiProperty({ oneOf: textOrSender })
      @IsOptional()
      @ValidateNested()
      @Type(() => Sender)
      to?: string | Sender;
    }
    const { check } = problemsOf(schemaOf(Dto));
    expect(check({ from: 'a1' })).toEqual([]);
    expect(check({ from: { name: 'Ada' } })).toEqual([]);
    expect(check({ from: {} })).toEqual(['/from/name is required']);
    // Its nested class refuses a number, and without a condition text too.
    expect(check({ from: 1 })).toContain('/from must be string');
    expect(check({ to: 'a1' })).toEqual(['/to must be object']);
    expect(await received(Dto, { from: 'a1' })).toEqual({ from: 'a1' });
  });

  it('see values of their own, and what is documented may be no JSON', () => {
    const seen: unknown[] = [];
    class Dto {
      @ApiProperty({ oneOf: [{ type: 'string' }, { type: Symbol as never }, { type: 'array' }] })
      @ValidateIf((_, value) => {
        if (Array.isArray(value)) seen.push(value.push('used'));
        return typeof value === 'string';
      })
      @IsString()
      first?: unknown;

      @ApiProperty({
        oneOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: {} }],
      })
      @ValidateIf((_, value) => {
        if (Array.isArray(value)) seen.push(value.push('used'));
        return value !== false;
      })
      @IsString()
      second?: unknown;
    }
    const { check } = problemsOf(schemaOf(Dto));
    expect(check({ first: 'a', second: false })).toEqual([]);
    expect(seen.every((length) => Number(length) <= 2)).toBe(true);
  });

  it('that are asynchronous and fail leave no unhandled rejection, which would end the boot', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    class Dto {
      @ValidateIf((_, __) => Promise.reject(new Error('there is no object')) as never)
      @IsString()
      name?: string;
    }
    expect(schemaOf(Dto).properties?.name).toEqual(NULLABLE);
    await turn();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
