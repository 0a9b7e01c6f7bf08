import { escapeRegExp } from '../../internal';
import type { JsonSchema } from '../../tool';
import {
  DECIMAL_STRING,
  DIGITS,
  LATITUDE_TEXT,
  LOCAL_NUMBER_STRING,
  LONGITUDE_TEXT,
  NUMBER_STRING,
  patternOf,
} from '../json-schema';
import { atMost, quote, type RuleTable, text } from './rule';

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

const isDate = text('ISO 8601 date or date-time', '^[+-]?\\d{4}', '2024-05-01T10:30:00Z');

/** Decorators about text: size and content. */
export const TEXT_RULES: RuleTable = {
  isString: text(),
  minLength: (minLength: number) => ({ type: 'string', minLength }),
  maxLength: (max: number) => ({ type: 'string', ...atMost('maxLength', max) }),
  isLength: (minLength?: number, maxLength?: number) => ({
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && atMost('maxLength', maxLength)),
  }),
  isByteLength: (min: number, max?: number) =>
    text(max === undefined ? `at least ${min} bytes` : `${min} to ${max} bytes`),
  matches: (source: RegExp | string, modifiers?: string) => {
    const regex = source instanceof RegExp ? source : new RegExp(source, modifiers);
    const pattern = patternOf(regex);
    return pattern === undefined
      ? text(`matches ${regex.toString()}`)
      : { type: 'string', pattern };
  },
  contains: (seed: string) => ({ type: 'string', pattern: escapeRegExp(String(seed)) }),
  notContains: (seed: string) => ({ type: 'string', not: { pattern: escapeRegExp(String(seed)) } }),
  isLowercase: text('lower case', '^[^A-Z]*$', 'text'),
  isUppercase: text('upper case', '^[^a-z]*$', 'TEXT'),
  isAscii: text('ASCII only', '^[\\u0000-\\u007f]+$', 'text'),
  isMultibyte: text('has a character outside ASCII', '[^\\u0000-\\u007f]', 'é'),
  isFullWidth: text(
    'has a full-width character',
    '[^\\u0020-\\u007e\\uff61-\\uffdc\\uffe8-\\uffee]',
    'あ',
  ),
  isHalfWidth: text(
    'has a half-width character',
    '[\\u0020-\\u007e\\uff61-\\uffdc\\uffe8-\\uffee]',
    'a',
  ),
  isVariableWidth: text('has full-width and half-width characters', undefined, 'あa'),
  isSurrogatePair: text('has a character such as an emoji', '[\\u{10000}-\\u{10ffff}]', '😀'),
};

interface DecimalOptions {
  readonly locale?: string;
  readonly force_decimal?: boolean;
  readonly decimal_digits?: string;
}

/** Decorators about formats. */
export const FORMAT_RULES: RuleTable = {
  isAlpha: (locale?: string) =>
    isEnglish(locale)
      ? text(undefined, '^[A-Za-z]+$', 'abc')
      : text(`letters of ${locale} only`, undefined, 'abc'),
  isAlphanumeric: (locale?: string) =>
    isEnglish(locale)
      ? text(undefined, '^[0-9A-Za-z]+$', 'abc1')
      : text(`letters and digits of ${locale} only`, undefined, 'abc1'),
  isNumberString: (options?: { readonly no_symbols?: boolean; readonly locale?: string }) => {
    const decimal = options?.locale ? LOCAL_NUMBER_STRING : NUMBER_STRING;
    return text('a number as text', options?.no_symbols ? DIGITS : decimal, '12');
  },
  isBooleanString: { type: 'string', enum: ['true', 'false', '1', '0'] },
  isDateString: isDate,
  isIso8601: isDate,
  isRFC3339: text(
    'RFC 3339 date-time',
    '^\\d{4}-\\d\\d-\\d\\d[ tT]\\d\\d:\\d\\d:\\d\\d',
    '2024-05-01T10:30:00Z',
  ),
  isMilitaryTime: text('time as HH:MM', '^([01]\\d|2[0-3]):?[0-5]\\d$', '13:45'),
  isTimeZone: text('IANA time zone such as Europe/Paris', undefined, 'Europe/Paris'),
  // Options may allow other addresses.
  isEmail: (options?: object) =>
    options && Object.keys(options).length > 0
      ? text('email address', '@', 'jane@example.com')
      : { type: 'string', format: 'email' },
  isUrl: (options?: { readonly require_protocol?: boolean }) => {
    const what = options?.require_protocol ? 'URL with its protocol' : 'URL';
    return text(what, '^\\S+$', 'https://example.com/path');
  },
  isFqdn: text('fully qualified domain name', '^\\S+$', 'example.com'),
  isIp: (version?: number | string) => {
    if (String(version) === '4') return { ...text('IPv4 address'), format: 'ipv4' };
    return version
      ? text(`IPv${version} address`, ':', '2001:db8::1')
      : text('IP address', '[.:]', '192.0.2.1');
  },
  isPort: text('port number as text, 0 to 65535', '^(0|[1-9]\\d{0,4})$', '8080'),
  isMacAddress: text('MAC address', `^(${HEX}{2,4}[-:\\s.]?){3,8}$`, '01:23:45:67:89:ab'),
  isUuid: (version: unknown = 'all') => ({
    ...text(version === 'all' ? undefined : `UUID v${quote(version)}`),
    format: 'uuid',
  }),
  isMongoId: text('MongoDB ObjectId', `^${HEX}{24}$`, '507f1f77bcf86cd799439011'),
  IsFirebasePushId: text('Firebase push id', '^[a-zA-Z0-9_-]{20}$', '-M-Jh_1KAH5rYGF_6a2c'),
  isJson: text('JSON as text', '^\\s*[\\[{]', '{"a":1}'),
  isJwt: text(
    'JSON Web Token',
    '^[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*$',
    'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  ),
  isBase32: text('base32', '^([A-Z2-7=]{8})+$', 'MFRGGZDF'),
  isBase58: text('base58', '^[A-HJ-NP-Za-km-z1-9]*$', '3yQ'),
  isBase64: (options?: { readonly urlSafe?: boolean }) => {
    const pattern = options?.urlSafe ? '^[A-Za-z0-9_-]*={0,2}$' : '^[A-Za-z0-9+/]*={0,2}$';
    return text('base64', pattern, 'aGVsbG8h');
  },
  isHexadecimal: text('hexadecimal', '^(0[xXhH])?[0-9a-fA-F]+$', 'ff'),
  isOctal: text('octal', '^(0[oO])?[0-7]+$', '17'),
  isDecimal: ({ locale, force_decimal, decimal_digits }: DecimalOptions = {}) => {
    const notes = [
      'decimal number as text',
      force_decimal && 'with decimals',
      decimal_digits && `${decimal_digits} decimal places`,
    ];
    return text(notes.filter(Boolean).join(', '), locale ? '\\d' : DECIMAL_STRING, '1.50');
  },
  isHash: (algorithm: string) =>
    text(`${algorithm} hash in hexadecimal`, `^${HEX}{${HASH_LENGTHS[algorithm] ?? '1,'}}$`),
  isHexColor: text('hexadecimal colour', `^#?${HEX}{3,8}$`, '#ff8800'),
  isRgbColor: text('rgb() or rgba() colour', '^rgba?', 'rgb(255,136,0)'),
  isHSL: text('hsl() or hsla() colour', '^\\s*[hH][sS][lL].*\\(', 'hsl(30,100%,50%)'),
  isSemVer: text('semantic version', '^\\d+\\.\\d+\\.\\d+', '1.2.3'),
  isLocale: text('locale such as en-GB', '^[A-Za-z]', 'en-GB'),
  isMimeType: text('media type', '^[A-Za-z]+/[A-Za-z0-9.+_-]+', 'text/plain'),
  isDataURI: text('data URI', '^\\s*data:[^,]*,', 'data:text/plain,hello'),
  isMagnetURI: text(
    'magnet link',
    '^magnet:\\?.*xt(\\.1)?=urn:',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
  ),
};

/** Decorators about codes with a registry or a check digit. */
export const CODE_RULES: RuleTable = {
  isISO31661Alpha2: text('two-letter country code', '^[A-Za-z]{2}$', 'FR'),
  isISO31661Alpha3: text('three-letter country code', '^[A-Za-z]{3}$', 'FRA'),
  isISO31661Numeric: text('numeric country code', '^\\d{3}$', '250'),
  isISO4217CurrencyCode: text('three-letter currency code', '^[A-Za-z]{3}$', 'EUR'),
  isISO6391: text('two-letter language code', '^[a-z]{2}$', 'fr'),
  isPostalCode: (locale?: string) => text(`postal code${ofPlace(locale)}`, undefined, '75001'),
  isMobilePhone: (locale?: unknown) =>
    text(`mobile phone number${ofPlace(locale)}`, '\\d', '+33612345678'),
  isPhoneNumber: (region?: string) =>
    text(
      region ? `phone number of ${region}` : 'international phone number',
      undefined,
      '+33612345678',
    ),
  isIBAN: text('IBAN', '^[A-Za-z]{2}', 'DE89370400440532013000'),
  isBIC: text('BIC', '^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$', 'DEUTDEFF'),
  isCreditCard: text('credit card number', '\\d', '4111111111111111'),
  isCurrency: text('amount of money', undefined, '$10.50'),
  isEAN: text('EAN', '^(\\d{8}|\\d{13}|\\d{14})$', '73513537'),
  isIsbn: (version?: unknown) =>
    text(
      version ? `ISBN-${quote(version)}` : 'ISBN',
      '^[\\d\\sX-]{10,}$',
      String(version) === '10' ? '316148410X' : '9783161484100',
    ),
  isISSN: text('ISSN', '^\\d{4}-?\\d{3}[\\dXx]$', '2049-3630'),
  isIsin: text('ISIN', '^[A-Z]{2}[0-9A-Z]{9}[0-9]$', 'US0378331005'),
  isISRC: text('ISRC', '^[A-Z]{2}[0-9A-Z]{3}\\d{7}$', 'USAT29900609'),
  isBtcAddress: text(
    'Bitcoin address',
    '^(bc1|tb1|[123m])[A-Za-z0-9]{25,59}$',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  ),
  isEthereumAddress: text(
    'Ethereum address',
    `^0[xX]${HEX}{40}$`,
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ),
  isPassportNumber: (country: string) => text(`passport number of ${country}`),
  isIdentityCard: (locale = 'any country') => text(`identity card number of ${locale}`),
  isTaxId: (locale = 'en-US') => text(`tax number of ${locale}`),
  isLatLong: text('latitude,longitude', ',', '48.85,2.35'),
  isLatitude: degrees('latitude', 90, LATITUDE_TEXT, 48.85),
  isLongitude: degrees('longitude', 180, LONGITUDE_TEXT, 2.35),
  isStrongPassword: (options: Readonly<Record<string, number>> = {}) => {
    const { minLength = 8, minLowercase = 1, minUppercase = 1 } = options;
    const { minNumbers = 1, minSymbols = 1 } = options;
    const letters = `at least ${minLowercase} lower-case and ${minUppercase} upper-case letters`;
    const rest = `${minNumbers} digits, ${minSymbols} symbols`;
    return { ...text(`${letters}, ${rest}`, undefined, 'Str0ng!pass'), minLength };
  },
};

function degrees(name: string, maximum: number, pattern: string, example: number): JsonSchema {
  return {
    type: ['number', 'string'],
    minimum: -maximum,
    maximum,
    pattern,
    description: `${name} in degrees`,
    examples: [example],
  };
}

function ofPlace(locale: unknown): string {
  return locale && locale !== 'any' ? ` of ${quote(locale)}` : '';
}

function isEnglish(locale: string | undefined): boolean {
  return locale === undefined || locale.startsWith('en-');
}
