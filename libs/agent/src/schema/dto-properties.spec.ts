import 'reflect-metadata';
import fc from 'fast-check';
import type { JsonObject } from '../message';
import { type ArgumentIssue, InvalidArgumentsError } from '../tool';
import { DTO_CASES } from './fixtures';
import { applicationProblems } from './fixtures/application';
import type { DtoCase } from './fixtures/dto-case';
import { parseArguments, schemaOf, SchemaValidator, toInstance } from './index';

const RUNS = { numRuns: 100 };

/** Values near those of a case: its own, slightly changed ones, and any JSON. */
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

function memberAt(path: string, value: unknown): unknown {
  let member: unknown = value;
  for (const step of path.split('/').slice(1)) {
    if (typeof member !== 'object' || member === null) return undefined;
    member = (member as JsonObject)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return member;
}

/** The place of a problem in a value, and the type of the member there; all items are alike. */
function spotOf(path: string, value: unknown): string {
  const member = memberAt(path, value);
  const sort = Array.isArray(member) ? 'list' : member === null ? 'null' : typeof member;
  return `${path.replace(/\/\d+(?=\/|$)/g, '/#')} ${sort}`;
}

/**
 * Values refused on purpose, at any place: beyond 2^53 a JSON number is no longer the number
 * that was written, and a list is no object, though class-validator looks into it as into one.
 */
function isRefusedByRule({ path, message }: ArgumentIssue, value: unknown): boolean {
  const member = memberAt(path, value);
  return (
    (Number.isInteger(member) && !Number.isSafeInteger(member)) ||
    (Array.isArray(member) && message === 'must be object')
  );
}

describe.each(DTO_CASES.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const groups = one.groups ?? [];
  const validator = new SchemaValidator(schemaOf(one.type, { groups }));

  // The case's own examples show where, and for which values, the schema is stricter or more lenient.
  const stricter = new Set<string>();
  const beyond = new Set<string>();
  beforeAll(async () => {
    for (const value of one.stricter ?? [])
      for (const { path } of validator.check(value)) stricter.add(spotOf(path, value));
    for (const value of one.beyond ?? [])
      for (const path of await applicationProblems(one, value)) beyond.add(spotOf(path, value));
  });

  it('never refuses what the application accepts, nor accepts what it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(valuesOf(one), async (value) => {
        const issues = validator.check(value);
        if (issues.length > 0) {
          const unsaid = issues.filter(
            (issue) => !stricter.has(spotOf(issue.path, value)) && !isRefusedByRule(issue, value),
          );
          const isRefused =
            unsaid.length === 0 || (await applicationProblems(one, value)).length > 0;
          expect([value, unsaid, isRefused]).toEqual([value, unsaid, true]);
        } else if (one.typed === undefined) {
          // What counts as left out, the application never sees.
          const given = validator.accept(value as JsonObject);
          const problems = await applicationProblems(one, given);
          const unsaid = problems.filter((path) => !beyond.has(spotOf(path, given)));
          expect([value, unsaid]).toEqual([value, []]);
        }
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
      { ...RUNS, numRuns: 40 },
    );
  });
});
