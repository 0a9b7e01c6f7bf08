import type { Type } from '@nestjs/common';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { CLASS_CASES } from './fixtures/class.cases';
import { COLLECTION_CASES } from './fixtures/collection.cases';
import { STRING_CASES } from './fixtures/string.cases';
import { VALUE_CASES } from './fixtures/value.cases';
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
  const cases = [...CLASS_CASES, ...COLLECTION_CASES, ...STRING_CASES, ...VALUE_CASES];

  it.each(cases.map((one) => [one.name, one] as const))(
    'answers what class-validator answers: %s',
    async (_name, { type, accept, refuse, beyond = [], groups = [] }) => {
      const options = { ...OPTIONS, ...(groups.length > 0 && { groups: [...groups] }) };
      for (const value of [...accept, ...refuse, ...beyond]) {
        const instance = instanceOf(type, value);
        if (instance === undefined) continue;
        const theirs = await validate(instance, options);
        expect(told(await validateInstance(instance, options))).toEqual(told(theirs));
      }
    },
  );

  it('does not look through the classes of the whole application', async () => {
    const search = jest.spyOn(getMetadataStorage(), 'getTargetValidationMetadatas');
    const [{ type, accept }] = CLASS_CASES as [(typeof CLASS_CASES)[number]];
    await validateInstance(plainToInstance<object, unknown>(type, accept[0]), OPTIONS);
    expect(search).not.toHaveBeenCalled();
    search.mockRestore();
  });

  it('leaves a value alone whose constructor is data', async () => {
    await expect(validateInstance({ constructor: 1 }, OPTIONS)).resolves.toEqual([]);
  });
});
