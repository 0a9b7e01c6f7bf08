import 'reflect-metadata';
import fc from 'fast-check';
import type { JsonObject } from '../message';
import { InvalidArgumentsError } from '../tool';
import { DTO_CASES } from './fixtures';
import { applicationAccepts } from './fixtures/application';
import type { DtoCase } from './fixtures/dto-case';
import { parseArguments, schemaOf, SchemaValidator, toInstance } from './index';

const RUNS = { numRuns: 60, seed: 20240501 };

/** Values near what a case is about: its own ones, changed a little, and anything JSON can say. */
function valuesOf(one: DtoCase): fc.Arbitrary<unknown> {
  const own = [...one.accept, ...one.refuse, ...(one.beyond ?? [])];
  const base = own.length > 0 ? own : [{}];
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...base), fc.integer(), fc.jsonValue({ maxDepth: 2 }), fc.string())
      .map(([value, at, other, text]) => changed(value, at, other, text)),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value })),
    fc.string({ unit: 'grapheme' }).map((value) => ({ value })),
  );
}

/** The value with one leaf replaced, or one text edited. */
function changed(value: unknown, at: number, other: unknown, text: string): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return at % 2 === 0 ? [other] : [];
    const index = Math.abs(at) % value.length;
    return value.map((item: unknown, place) =>
      place === index ? changed(item, at >> 1, other, text) : item,
    );
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    const key = keys[Math.abs(at) % Math.max(keys.length, 1)];
    if (key === undefined) return value;
    return { ...value, [key]: changed((value as JsonObject)[key], at >> 1, other, text) };
  }
  if (typeof value === 'string' && at % 3 !== 0) {
    const place = Math.abs(at) % (value.length + 1);
    return value.slice(0, place) + text.slice(0, 2) + value.slice(at % 2 === 0 ? place : place + 1);
  }
  return other;
}

/** Cases where the schema is more lenient or stricter than the validators on purpose. */
const isLenient = (one: DtoCase): boolean =>
  (one.beyond ?? []).length > 0 || one.accept.length === 0 || one.type.name === 'CreateUserDto';
const isStricter = (one: DtoCase): boolean => one.stricter !== undefined && one.stricter.length > 0;

describe.each(DTO_CASES.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const groups = one.groups ?? [];
  const validator = new SchemaValidator(schemaOf(one.type, { groups }));

  it('never refuses what the application accepts, nor accepts what it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(valuesOf(one), async (value) => {
        const isValid = validator.check(value).length === 0;
        const isAccepted = await applicationAccepts(one, value);
        if (isAccepted && !isStricter(one))
          expect([value, validator.check(value)]).toEqual([value, []]);
        // `null` may stand for a property that is left out; the application has no such rule.
        const hasNull = JSON.stringify(value).includes('null');
        if (isValid && !isLenient(one) && !hasNull)
          expect([value, isAccepted]).toEqual([value, true]);
      }),
      RUNS,
    );
  });

  it('makes an instance of it or says what is wrong, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(valuesOf(one), fc.anything(), fc.object()), async (value) => {
        try {
          const input = validator.accept(parseArguments(value as JsonObject));
          expect(await toInstance(one.type, input, { groups })).toBeInstanceOf(one.type);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidArgumentsError);
        }
      }),
      { ...RUNS, numRuns: 30 },
    );
  });
});
