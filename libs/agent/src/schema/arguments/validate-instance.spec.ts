import type { Type } from '@nestjs/common';
import {
  getMetadataStorage,
  IsNumber,
  validate,
  ValidateBy,
  type ValidationError,
} from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { DTO_CASES } from '../fixtures';
import type { DtoCase } from '../fixtures/dto-case';
import { validateInstance } from './validate-instance';

const OPTIONS = {
  forbidUnknownValues: false,
  validationError: { target: true, value: false },
} as const;

/** Errors without the instances they point to, which are compared by identity elsewhere. */
function told(errors: readonly ValidationError[]): unknown {
  return errors.map(({ property, constraints, children }) => ({
    property,
    constraints,
    children: told(children ?? []),
  }));
}

/** The errors, or the exception that a rule throws. */
async function answerOf(check: () => Promise<readonly ValidationError[]>): Promise<unknown> {
  try {
    return told(await check());
  } catch (error) {
    return error;
  }
}

/** Nothing where class-transformer makes no object of the value, or fails. */
function instanceOf(type: Type<object>, value: unknown): object | undefined {
  try {
    const instance: unknown = plainToInstance<object, unknown>(type, structuredClone(value));
    return instance instanceof type ? instance : undefined;
  } catch {
    return undefined;
  }
}

describe('validateInstance', () => {
  it.each(DTO_CASES.map((one) => [one.name, one] as const))(
    'answers what class-validator answers: %s',
    async (_name, { type, accept, refuse, beyond = [], groups = [] }) => {
      const options = { ...OPTIONS, ...(groups.length > 0 && { groups: [...groups] }) };
      for (const value of [...accept, ...refuse, ...beyond]) {
        const instance = instanceOf(type, value);
        if (instance === undefined) continue;
        const theirs = await answerOf(() => validate(instance, options));
        expect(await answerOf(() => validateInstance(instance, options))).toEqual(theirs);
      }
    },
  );

  it('does not look through the classes of the whole application', async () => {
    const search = jest.spyOn(getMetadataStorage(), 'getTargetValidationMetadatas');
    const [{ type, accept }] = DTO_CASES as [DtoCase];
    await validateInstance(plainToInstance<object, unknown>(type, accept[0]), OPTIONS);
    expect(search).not.toHaveBeenCalled();
    search.mockRestore();
  });

  it('leaves no failure behind where another rule throws', async () => {
    class Dto {
      @ValidateBy({
        name: 'late',
        validator: { validate: () => Promise.reject(new Error('late')) },
      })
      first = 1;

      @IsNumber({ maxDecimalPlaces: 2 })
      second = 1e-7;
    }
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    expect(() => validateInstance(new Dto(), OPTIONS)).toThrow(TypeError);
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('leaves a value alone whose constructor is data', async () => {
    await expect(validateInstance({ constructor: 1 }, OPTIONS)).resolves.toEqual([]);
  });
});
