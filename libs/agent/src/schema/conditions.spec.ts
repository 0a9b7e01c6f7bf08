import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { IsOptional, IsString, ValidateIf } from 'class-validator';
import { schemaOf, SchemaValidator, toInstance } from './index';

/** What a method receives for the arguments. */
async function received<Dto>(type: new () => Dto, value: object): Promise<Dto> {
  const accepted = new SchemaValidator(schemaOf(type)).accept(value as never);
  return (await toInstance(type, accepted)) as Dto;
}

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
