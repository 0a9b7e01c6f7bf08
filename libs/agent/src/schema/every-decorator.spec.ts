import 'reflect-metadata';
import * as classValidator from 'class-validator';
import type { JsonSchema } from '../tool';
import { classOf } from './fixtures/dto-case';
import { applicationAccepts } from './fixtures/application';
import { schemaOf, SchemaValidator } from './index';

type DecoratorFactory = (...constraints: readonly unknown[]) => PropertyDecorator;

/** All that class-validator exports and that decorates: no class, no constant, no plain function. */
const DECORATORS = new Map(
  Object.entries(classValidator as unknown as Readonly<Record<string, unknown>>).filter(
    (entry): entry is [string, DecoratorFactory] =>
      /^[A-Z]/.test(entry[0]) &&
      typeof entry[1] === 'function' &&
      !entry[1].toString().startsWith('class '),
  ),
);

type Row = readonly [constraints: readonly unknown[], said: string | RegExp, refused: unknown];

/** The keyword that expresses the decorator, and a value refused only because of that keyword. */
const KEYWORDS: Readonly<Record<string, Row>> = {
  IsDefined: [[], 'not', null],
  Equals: [['v1'], 'enum', 'v2'],
  NotEquals: [['v1'], 'not', 'v1'],
  IsEmpty: [[], 'enum', 'a'],
  IsNotEmpty: [[], 'minLength', ''],
  IsIn: [[['a', 'b']], 'enum', 'c'],
  IsNotIn: [[['a', 'b']], 'not', 'a'],
  IsEnum: [[{ A: 'a', B: 'b' }], 'enum', 'A'],
  IsBoolean: [[], 'type', 'true'],
  IsInt: [[], 'type', 1.5],
  IsNumber: [[], 'type', '1'],
  IsDivisibleBy: [[5], 'multipleOf', 3],
  IsPositive: [[], 'exclusiveMinimum', 0],
  IsNegative: [[], 'exclusiveMaximum', 0],
  Min: [[3], 'minimum', 2],
  Max: [[3], 'maximum', 4],
  IsLatitude: [[], 'maximum', 91],
  IsLongitude: [[], 'minimum', -181],
  IsString: [[], 'type', 1],
  Length: [[2, 3], 'maxLength', 'abcd'],
  MinLength: [[2], 'minLength', 'a'],
  MaxLength: [[2], 'maxLength', 'abc'],
  Matches: [[/^[a-z]+$/], 'pattern', 'A'],
  Contains: [['a.b'], 'pattern', 'axb'],
  NotContains: [['a.b'], 'not', 'a.b'],
  IsAlpha: [[], 'pattern', 'a1'],
  IsAlphanumeric: [[], 'pattern', 'a-1'],
  IsAscii: [[], 'pattern', 'é'],
  IsMultibyte: [[], 'pattern', 'a'],
  IsFullWidth: [[], 'pattern', 'a'],
  IsHalfWidth: [[], 'pattern', 'あ'],
  IsSurrogatePair: [[], 'pattern', 'é'],
  IsLowercase: [[], 'pattern', 'aB'],
  IsUppercase: [[], 'pattern', 'aB'],
  IsBooleanString: [[], 'enum', 'yes'],
  IsNumberString: [[], 'pattern', '1e3'],
  IsDecimal: [[], 'pattern', '1,5'],
  IsHexadecimal: [[], 'pattern', 'fg'],
  IsOctal: [[], 'pattern', '8'],
  IsBase32: [[], 'pattern', 'abc'],
  IsBase58: [[], 'pattern', '0OIl'],
  IsBase64: [[], 'pattern', 'a b'],
  IsHash: [['md5'], 'pattern', 'd41d'],
  IsJSON: [[], 'pattern', 'x'],
  IsJWT: [[], 'pattern', 'a.b'],
  IsDateString: [[], 'pattern', 'tomorrow'],
  IsISO8601: [[], 'pattern', 'tomorrow'],
  IsRFC3339: [[], 'pattern', '2024-05-01'],
  IsMilitaryTime: [[], 'pattern', '24:00'],
  IsEmail: [[], 'format', 'jane'],
  IsUrl: [[], 'pattern', 'not a url'],
  IsFQDN: [[], 'pattern', 'a b'],
  IsIP: [[], 'pattern', 'x'],
  IsPort: [[], 'pattern', '999999'],
  IsMACAddress: [[], 'pattern', '01:23'],
  IsUUID: [[], 'format', '123e4567'],
  IsMongoId: [[], 'pattern', '507f1f77'],
  IsFirebasePushId: [[], 'pattern', '-M-Jh'],
  IsDataURI: [[], 'pattern', 'http://a'],
  IsMagnetURI: [[], 'pattern', 'magnet:?x'],
  IsMimeType: [[], 'pattern', 'text'],
  IsHexColor: [[], 'pattern', 'red'],
  IsRgbColor: [[], 'pattern', 'red'],
  IsHSL: [[], 'pattern', 'hsl'],
  IsSemVer: [[], 'pattern', '1.2'],
  IsLocale: [[], 'pattern', '1'],
  IsLatLong: [[], 'pattern', '48'],
  IsISO31661Alpha2: [[], 'pattern', 'FRA'],
  IsISO31661Alpha3: [[], 'pattern', 'FR'],
  IsISO31661Numeric: [[], 'pattern', '25'],
  IsISO4217CurrencyCode: [[], 'pattern', 'EU'],
  IsISO6391: [[], 'pattern', 'FRA'],
  IsMobilePhone: [['fr-FR'], 'pattern', 'phone'],
  IsIBAN: [[], 'pattern', '89'],
  IsBIC: [[], 'pattern', 'DEUT'],
  IsCreditCard: [[], 'pattern', 'card'],
  IsEAN: [[], 'pattern', '123'],
  IsISBN: [[], 'pattern', '123'],
  IsISSN: [[], 'pattern', '1'],
  IsISIN: [[], 'pattern', 'us0378331005'],
  IsISRC: [[], 'pattern', 'USAT2990060'],
  IsBtcAddress: [[], 'pattern', '1BvB'],
  IsEthereumAddress: [[], 'pattern', '0x52'],
  IsStrongPassword: [[], 'minLength', 'Sh0rt!'],
  IsArray: [[], 'type', 'a'],
  ArrayNotEmpty: [[], 'minItems', []],
  ArrayMinSize: [[2], 'minItems', [1]],
  ArrayMaxSize: [[1], 'maxItems', [1, 2]],
  ArrayContains: [[['a']], 'allOf', ['b']],
  ArrayNotContains: [[['a']], 'not', ['a']],
  IsObject: [[], 'type', 'a'],
  IsNotEmptyObject: [[], 'minProperties', {}],
};

/** Without a keyword for the decorator: the text that the model reads, and a value that passes the schema. */
const WORDS: Readonly<Record<string, Row>> = {
  IsByteLength: [[1, 3], /^1 to 3 bytes$/, 'éé'],
  IsVariableWidth: [[], /full-width and half-width/, 'a'],
  IsTimeZone: [[], /IANA time zone/, 'Mars/Olympus'],
  IsCurrency: [[], /amount of money/, 'ten'],
  IsPhoneNumber: [['FR'], /phone number of FR/, '12'],
  IsPostalCode: [['FR'], /postal code of FR/, 'x'],
  IsPassportNumber: [['FR'], /passport number of FR/, 'x'],
  IsIdentityCard: [['IT'], /identity card number of IT/, 'x'],
  IsTaxId: [['en-US'], /tax number of en-US/, 'x'],
  ArrayUnique: [[], /all members differ/, [1, 1]],
  MinDate: [[new Date('2024-01-01')], /^not before 2024-01-01T00:00:00.000Z$/, 'x'],
  MaxDate: [[new Date('2024-01-01')], /^not after 2024-01-01T00:00:00.000Z$/, 'x'],
  IsInstance: [[Map], /an instance of Map/, 'x'],
  ValidateBy: [
    [{ name: 'isEven', validator: { validate: () => false } }],
    /^checked by isEven$/,
    'x',
  ],
};

const never = () => false;

/** Decorators that are no rule about JSON, and why; alone on a property they leave any value. */
const NO_RULE: Readonly<Record<string, readonly [reason: string, constraints?: unknown[]]>> = {
  Allow: ['it names a property, for the whitelist'],
  IsOptional: ['it is told by `required`, which the property is not among'],
  ValidateIf: [
    'a condition is code of the application: without its rules it says nothing',
    [never],
  ],
  ValidateNested: ['the nested class says what is inside; none is named here'],
  ValidatePromise: ['JSON has no promises'],
  IsDate: ['JSON has no dates: @Type(() => Date) makes one of text, and says so'],
  Validate: ['a class of the application decides, and it has no name to tell', [class {}]],
};

const NO_PROPERTY_DECORATORS: Readonly<Record<string, string>> = {
  ValidatorConstraint: 'it marks a class as a rule for @Validate()',
};

const propertyOf = (name: string, constraints: readonly unknown[]) => {
  const type = classOf([DECORATORS.get(name)!(...constraints)]);
  const schema = schemaOf(type);
  return { type, schema, property: schema.properties?.value ?? {} };
};

const accepts = (schema: JsonSchema, value: unknown): boolean =>
  new SchemaValidator(schema).check({ value }).length === 0;

describe("class-validator's decorators", () => {
  it('are all known: said by a keyword, told in words, or without a rule for a reason', () => {
    const known = [KEYWORDS, WORDS, NO_RULE, NO_PROPERTY_DECORATORS].flatMap(Object.keys);
    expect(known.sort()).toEqual([...DECORATORS.keys()].sort());
  });

  it.each(Object.entries(KEYWORDS).map(([name, row]) => [name, ...row] as const))(
    '@%s(%j) is said by "%s", which refuses %j as class-validator does',
    async (name, constraints, keyword, refused) => {
      const { type, schema, property } = propertyOf(name, constraints);
      const rest = Object.fromEntries(Object.entries(property).filter(([key]) => key !== keyword));
      expect(property).toHaveProperty([keyword as string]);
      expect(accepts(schema, refused)).toBe(false);
      expect(accepts({ ...schema, properties: { value: rest } }, refused)).toBe(true);
      expect(await applicationAccepts({ type }, { value: refused })).toBe(false);
    },
  );

  it.each(Object.entries(WORDS).map(([name, row]) => [name, ...row] as const))(
    '@%s(%j) is told as %s, and %j is left to class-validator',
    async (name, constraints, words, refused) => {
      const { type, schema, property } = propertyOf(name, constraints);
      expect(property.description).toMatch(words);
      expect(accepts(schema, refused)).toBe(true);
      expect(await applicationAccepts({ type }, { value: refused })).toBe(false);
    },
  );

  it.each(Object.entries(NO_RULE).map(([name, [why, more = []]]) => [name, why, more] as const))(
    '@%s has no rule: %s',
    (name, _reason, constraints) => {
      const { property } = propertyOf(name, constraints);
      expect(property).toEqual({});
    },
  );
});
