import type { JsonValue } from '../../message';
import {
  DECIMAL_STRING,
  DIGITS,
  LATITUDE_TEXT,
  LOCAL_NUMBER_STRING,
  LONGITUDE_TEXT,
  NUMBER_STRING,
  patternOf,
} from '../json-schema';
import { atMost, quote, type Rule, type RuleTable, text } from './rule';

/** Escapes text so that a pattern finds it literally. */
const literally = (value: string): string => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const HEX = '[0-9a-fA-F]';
const HASH_LENGTHS: Readonly<Record<string, number>> = {
  md5: 32,
  md4: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  ripemd128: 32,
  ripemd160: 40,
  tiger128: 32,
  tiger160: 40,
  tiger192: 48,
  crc32: 8,
  crc32b: 8,
};

/** A rule whose words depend on the decorator's arguments. */
const textOf = (
  note: (...constraints: readonly never[]) => string,
  pattern?: string,
  example?: JsonValue,
): Rule => ({
  keywords: () => ({ type: 'string', ...(pattern !== undefined && { pattern }) }),
  note,
  ...(example !== undefined && { example }),
});

const isDate: Rule = text('^[+-]?\\d{4}', 'ISO 8601 date or date-time', '2024-05-01T10:30:00Z');

/** Decorators about text: size and content. */
export const TEXT_RULES: RuleTable = {
  isString: text(),
  minLength: { keywords: (minLength: number) => ({ type: 'string', minLength }) },
  maxLength: { keywords: (max: number) => ({ type: 'string', ...atMost('maxLength', max) }) },
  isLength: {
    keywords: (minLength?: number, maxLength?: number) => ({
      type: 'string',
      ...(minLength !== undefined && { minLength }),
      ...(maxLength !== undefined && atMost('maxLength', maxLength)),
    }),
  },
  isByteLength: textOf((min: number, max?: number) =>
    max === undefined ? `at least ${min} bytes` : `${min} to ${max} bytes`,
  ),
  matches: {
    keywords: (pattern: RegExp | string, modifiers?: string) => {
      const said = patternOf(pattern instanceof RegExp ? pattern : new RegExp(pattern, modifiers));
      return { type: 'string', ...(said !== undefined && { pattern: said }) };
    },
    note: (pattern: RegExp | string, modifiers?: string) => {
      const regex = pattern instanceof RegExp ? pattern : new RegExp(pattern, modifiers);
      return patternOf(regex) === undefined ? `matches ${regex.toString()}` : undefined;
    },
  },
  contains: { keywords: (seed: string) => ({ type: 'string', pattern: literally(String(seed)) }) },
  notContains: {
    keywords: (seed: string) => ({ type: 'string', not: { pattern: literally(String(seed)) } }),
  },
  isLowercase: text('^[^A-Z]*$', 'lower case', 'text'),
  isUppercase: text('^[^a-z]*$', 'upper case', 'TEXT'),
  isAscii: text('^[\\u0000-\\u007f]+$', 'ASCII only', 'text'),
  isMultibyte: text('[^\\u0000-\\u007f]', 'has a character outside ASCII', 'é'),
  isFullWidth: text(
    '[^\\u0020-\\u007e\\uff61-\\uffdc\\uffe8-\\uffee]',
    'has a full-width character',
    'あ',
  ),
  isHalfWidth: text(
    '[\\u0020-\\u007e\\uff61-\\uffdc\\uffe8-\\uffee]',
    'has a half-width character',
    'a',
  ),
  isVariableWidth: text(undefined, 'has full-width and half-width characters', 'あa'),
  isSurrogatePair: text('[\\u{10000}-\\u{10ffff}]', 'has a character such as an emoji', '😀'),
};

/** Decorators about text that stands for something else. */
export const FORMAT_RULES: RuleTable = {
  isAlpha: {
    keywords: (locale?: string) => ({
      type: 'string',
      ...(isEnglish(locale) && { pattern: '^[A-Za-z]+$' }),
    }),
    note: (locale?: string) => (isEnglish(locale) ? undefined : `letters of ${locale} only`),
    example: 'abc',
  },
  isAlphanumeric: {
    keywords: (locale?: string) => ({
      type: 'string',
      ...(isEnglish(locale) && { pattern: '^[0-9A-Za-z]+$' }),
    }),
    note: (locale?: string) =>
      isEnglish(locale) ? undefined : `letters and digits of ${locale} only`,
    example: 'abc1',
  },
  isNumberString: {
    keywords: (options?: { readonly no_symbols?: boolean; readonly locale?: string }) => ({
      type: 'string',
      pattern: options?.no_symbols ? DIGITS : options?.locale ? LOCAL_NUMBER_STRING : NUMBER_STRING,
    }),
    note: () => 'a number as text',
    example: '12',
  },
  isBooleanString: { keywords: () => ({ type: 'string', enum: ['true', 'false', '1', '0'] }) },
  isDateString: isDate,
  isIso8601: isDate,
  isRFC3339: text(
    '^\\d{4}-\\d\\d-\\d\\d[ tT]\\d\\d:\\d\\d:\\d\\d',
    'RFC 3339 date-time',
    '2024-05-01T10:30:00Z',
  ),
  isMilitaryTime: text('^([01]\\d|2[0-3]):?[0-5]\\d$', 'time as HH:MM', '13:45'),
  isTimeZone: text(undefined, 'IANA time zone such as Europe/Paris', 'Europe/Paris'),
  isEmail: {
    // With options, what is an address is the application's own matter.
    keywords: (options?: object) =>
      options && Object.keys(options).length > 0
        ? { type: 'string', pattern: '@', description: 'email address' }
        : { type: 'string', format: 'email' },
  },
  isUrl: textOf(
    (options?: { readonly require_protocol?: boolean }) =>
      options?.require_protocol ? 'URL with its protocol' : 'URL',
    '^\\S+$',
    'https://example.com/path',
  ),
  isFqdn: text('^\\S+$', 'fully qualified domain name', 'example.com'),
  isIp: {
    keywords: (version?: number | string) => ({
      type: 'string',
      ...(String(version) === '4' && { format: 'ipv4' }),
      ...(String(version) !== '4' && { pattern: String(version) === '6' ? ':' : '[.:]' }),
    }),
    note: (version?: number | string) => (version ? `IPv${version} address` : 'IP address'),
  },
  isPort: text('^(0|[1-9]\\d{0,4})$', 'port number as text, 0 to 65535', '8080'),
  isMacAddress: text(`^(${HEX}{2,4}[-:\\s.]?){3,8}$`, 'MAC address', '01:23:45:67:89:ab'),
  isUuid: {
    keywords: () => ({ type: 'string', format: 'uuid' }),
    note: (version?: unknown) =>
      version === undefined || version === 'all' ? undefined : `UUID v${quote(version)}`,
  },
  isMongoId: text(`^${HEX}{24}$`, 'MongoDB ObjectId', '507f1f77bcf86cd799439011'),
  IsFirebasePushId: text('^[a-zA-Z0-9_-]{20}$', 'Firebase push id', '-M-Jh_1KAH5rYGF_6a2c'),
  isJson: text('^\\s*[\\[{]', 'JSON as text', '{"a":1}'),
  isJwt: text(
    '^[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*$',
    'JSON Web Token',
    'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  ),
  isBase32: text('^([A-Z2-7=]{8})+$', 'base32', 'MFRGGZDF'),
  isBase58: text('^[A-HJ-NP-Za-km-z1-9]*$', 'base58', '3yQ'),
  isBase64: {
    keywords: (options?: { readonly urlSafe?: boolean }) => ({
      type: 'string',
      pattern: options?.urlSafe ? '^[A-Za-z0-9_-]*={0,2}$' : '^[A-Za-z0-9+/]*={0,2}$',
    }),
    note: () => 'base64',
    example: 'aGVsbG8h',
  },
  isHexadecimal: text('^(0[xXhH])?[0-9a-fA-F]+$', 'hexadecimal', 'ff'),
  isOctal: text('^(0[oO])?[0-7]+$', 'octal', '17'),
  isDecimal: {
    keywords: (options?: { readonly locale?: string }) => ({
      type: 'string',
      pattern: options?.locale ? '\\d' : DECIMAL_STRING,
    }),
    note: (options?: { readonly decimal_digits?: string; readonly force_decimal?: boolean }) =>
      [
        'decimal number as text',
        options?.force_decimal && 'with decimals',
        options?.decimal_digits && `${options.decimal_digits} decimal places`,
      ]
        .filter(Boolean)
        .join(', '),
    example: '1.50',
  },
  isHash: {
    keywords: (algorithm: string) => ({
      type: 'string',
      pattern: `^${HEX}{${HASH_LENGTHS[algorithm] ?? '1,'}}$`,
    }),
    note: (algorithm: string) => `${algorithm} hash in hexadecimal`,
  },
  isHexColor: text(`^#?${HEX}{3,8}$`, 'hexadecimal colour', '#ff8800'),
  isRgbColor: text('^rgba?', 'rgb() or rgba() colour', 'rgb(255,136,0)'),
  isHSL: text('^\\s*[hH][sS][lL].*\\(', 'hsl() or hsla() colour', 'hsl(30,100%,50%)'),
  isSemVer: text('^\\d+\\.\\d+\\.\\d+', 'semantic version', '1.2.3'),
  isLocale: text('^[A-Za-z]', 'locale such as en-GB', 'en-GB'),
  isMimeType: text('^[A-Za-z]+/[A-Za-z0-9.+_-]+', 'media type', 'text/plain'),
  isDataURI: text('^\\s*data:[^,]*,', 'data URI', 'data:text/plain,hello'),
  isMagnetURI: text(
    '^magnet:\\?.*xt(\\.1)?=urn:',
    'magnet link',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
  ),
};

/** Decorators about codes and numbers that a registry or a check digit decides. */
export const CODE_RULES: RuleTable = {
  isISO31661Alpha2: text('^[A-Za-z]{2}$', 'two-letter country code', 'FR'),
  isISO31661Alpha3: text('^[A-Za-z]{3}$', 'three-letter country code', 'FRA'),
  isISO31661Numeric: text('^\\d{3}$', 'numeric country code', '250'),
  isISO4217CurrencyCode: text('^[A-Za-z]{3}$', 'three-letter currency code', 'EUR'),
  isISO6391: text('^[a-z]{2}$', 'two-letter language code', 'fr'),
  isPostalCode: textOf(
    (locale?: string) => (locale && locale !== 'any' ? `postal code of ${locale}` : 'postal code'),
    undefined,
    '75001',
  ),
  isMobilePhone: textOf(
    (locale?: unknown) =>
      locale && locale !== 'any'
        ? `mobile phone number of ${quote(locale)}`
        : 'mobile phone number',
    '\\d',
    '+33612345678',
  ),
  isPhoneNumber: textOf(
    (region?: string) =>
      region ? `phone number of ${region}, or international` : 'international phone number',
    undefined,
    '+33612345678',
  ),
  isIBAN: text('^[A-Za-z]{2}', 'IBAN', 'DE89370400440532013000'),
  isBIC: text('^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$', 'BIC', 'DEUTDEFF'),
  isCreditCard: text('\\d', 'credit card number', '4111111111111111'),
  isCurrency: text(undefined, 'amount of money', '$10.50'),
  isEAN: text('^(\\d{8}|\\d{13}|\\d{14})$', 'EAN', '73513537'),
  isIsbn: textOf(
    (version?: unknown) => (version ? `ISBN-${quote(version)}` : 'ISBN'),
    '^[\\d\\sX-]{10,}$',
    '9783161484100',
  ),
  isISSN: text('^\\d{4}-?\\d{3}[\\dXx]$', 'ISSN', '2049-3630'),
  isIsin: text('^[A-Z]{2}[0-9A-Z]{9}[0-9]$', 'ISIN', 'US0378331005'),
  isISRC: text('^[A-Z]{2}[0-9A-Z]{3}\\d{7}$', 'ISRC', 'USAT29900609'),
  isBtcAddress: text(
    '^(bc1|tb1|[123m])[A-Za-z0-9]{25,59}$',
    'Bitcoin address',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  ),
  isEthereumAddress: text(
    `^0[xX]${HEX}{40}$`,
    'Ethereum address',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ),
  isPassportNumber: textOf((country: string) => `passport number of ${country}`),
  isIdentityCard: textOf((locale?: string) => `identity card number of ${locale ?? 'any country'}`),
  isTaxId: textOf((locale?: string) => `tax number of ${locale ?? 'en-US'}`),
  isLatLong: text(',', 'latitude,longitude', '48.85,2.35'),
  isLatitude: {
    keywords: () => ({
      type: ['number', 'string'],
      minimum: -90,
      maximum: 90,
      pattern: LATITUDE_TEXT,
    }),
    note: () => 'latitude in degrees',
    example: 48.85,
  },
  isLongitude: {
    keywords: () => ({
      type: ['number', 'string'],
      minimum: -180,
      maximum: 180,
      pattern: LONGITUDE_TEXT,
    }),
    note: () => 'longitude in degrees',
    example: 2.35,
  },
  isStrongPassword: {
    keywords: (options?: { readonly minLength?: number }) => ({
      type: 'string',
      minLength: options?.minLength ?? 8,
    }),
    note: (options?: Readonly<Record<string, number>>) =>
      `at least ${options?.minLowercase ?? 1} lower-case and ${options?.minUppercase ?? 1} upper-case letters, ${options?.minNumbers ?? 1} digits, ${options?.minSymbols ?? 1} symbols`,
    example: 'Str0ng!pass',
  },
};

function isEnglish(locale: string | undefined): boolean {
  return locale === undefined || locale.startsWith('en-');
}
