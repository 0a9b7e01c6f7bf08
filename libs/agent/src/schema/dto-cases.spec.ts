import 'reflect-metadata';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { getMetadataStorage } from 'class-validator';
import type { JsonObject } from '../message';
import { DTO_CASES } from './fixtures';
import { applicationAccepts } from './fixtures/application';
import type { DtoCase } from './fixtures/dto-case';
import { guardInput } from './arguments/parse-arguments';
import { exampleOf, outputSchemaOf, schemaOf, SchemaValidator, toInstance } from './index';
import { RULES } from './rules';

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

async function received({ type, groups = [] }: DtoCase, value: unknown): Promise<unknown> {
  const accepted = new SchemaValidator(schemaOf(type, { groups })).accept(value as JsonObject);
  return toInstance(type, accepted, { groups });
}

const said = (value: unknown): string => JSON.stringify(value);

/** Classes without an instance, so there is no example of them either. */
const FITTING_NOTHING = [
  'rules that contradict each other',
  'IsDivisibleBy less than 1',
  'IsIn nothing',
];

describe('the cases together', () => {
  it('show each rule of class-validator with a value that is refused for it', () => {
    const shown = new Set(
      DTO_CASES.filter(({ refuse, beyond = [] }) => refuse.length + beyond.length > 0).flatMap(
        ({ type }) =>
          getMetadataStorage()
            .getTargetValidationMetadatas(type, '', true, false)
            .map((rule) => rule.name ?? rule.type),
      ),
    );
    // @Allow() and @ValidatePromise() refuse nothing that JSON can say.
    expect(Object.keys(RULES).filter((name) => !shown.has(name))).toEqual([
      'promiseValidation',
      'whitelistValidation',
    ]);
  });

  it('show a value that is taken, but where no value fits', () => {
    const takeNothing = DTO_CASES.filter(
      ({ accept, typed = [], beyond = [] }) => accept.length + typed.length + beyond.length === 0,
    );
    expect(takeNothing.map(({ name }) => name)).toEqual(FITTING_NOTHING);
  });

  it('show a value that is refused, but where any value fits', () => {
    const refuseNothing = DTO_CASES.filter(
      ({ refuse, beyond = [], stricter = [] }) =>
        refuse.length + beyond.length + stricter.length === 0,
    );
    expect(refuseNothing.map(({ name }) => name)).toEqual(['Allow', 'an empty class']);
  });
});

describe.each(DTO_CASES.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const schema = schemaOf(one.type, { groups: one.groups ?? [] });
  const validator = new SchemaValidator(schema);
  const standard = ajv.compile(schema);

  it('accepts what the application accepts, and the method receives it', async () => {
    for (const value of one.typed ?? []) {
      expect(validator.check(value)).toEqual([]);
      expect(await received(one, value)).toBeInstanceOf(one.type);
    }
    for (const value of one.accept) {
      expect(`${said(value)} ${said(validator.check(value))}`).toBe(`${said(value)} []`);
      const hasNull = said(value).includes('null');
      if (!hasNull) expect(`${said(value)} ${standard(value)}`).toBe(`${said(value)} true`);
      expect(`${said(value)} ${await applicationAccepts(one, value)}`).toBe(`${said(value)} true`);
      expect(await received(one, value)).toBeInstanceOf(one.type);
    }
  });

  it('refuses what the application refuses, before the method', async () => {
    for (const value of one.refuse) {
      expect(`${said(value)} ${validator.check(value).length > 0}`).toBe(`${said(value)} true`);
      expect(`${said(value)} ${standard(value)}`).toBe(`${said(value)} false`);
      expect(`${said(value)} ${await applicationAccepts(one, value)}`).toBe(`${said(value)} false`);
      await expect(received(one, value)).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
    for (const value of one.beyond ?? []) {
      expect(`${said(value)} ${said(validator.check(value))}`).toBe(`${said(value)} []`);
      expect(`${said(value)} ${await applicationAccepts(one, value)}`).toBe(`${said(value)} false`);
      await expect(received(one, value)).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
    for (const value of one.stricter ?? [])
      expect(`${said(value)} ${validator.check(value).length > 0}`).toBe(`${said(value)} true`);
  });

  if (FITTING_NOTHING.includes(one.name)) {
    it('says that no value fits', () => {
      expect(schema.properties?.value).toEqual({ not: {} });
    });
    return;
  }

  it('has a valid example', () => {
    const example = exampleOf(schema);
    expect(`${said(example)} ${said(validator.check(example))}`).toBe(`${said(example)} []`);
    expect(exampleOf(schema)).toEqual(example);
    expect(guardInput(example)).toEqual([]);
    const output = outputSchemaOf(one.type);
    const answer = exampleOf(output);
    expect(`${said(answer)} ${said(new SchemaValidator(output).check(answer))}`).toBe(
      `${said(answer)} []`,
    );
  });
});
