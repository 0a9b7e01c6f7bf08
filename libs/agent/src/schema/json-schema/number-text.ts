import type { JsonSchema } from '../../tool';
import { typesOf } from './combine';

/** Text of which `Number` makes a number. */
export const NUMBER_TEXT = '^\\s*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?\\s*$';

/** Text that begins as a number does: `parseFloat` reads no further. */
export const FLOAT_TEXT = '^\\s*[+-]?(\\d|\\.\\d)';

/** Text of a whole number. */
export const INTEGER_TEXT = '^-?\\d+$';

/** Text of digits. */
export const DIGITS = '^[0-9]+$';

/** What `@IsNumberString()` takes, plainly and with the separators of languages. */
export const NUMBER_STRING = '^[+-]?([0-9]*\\.)?[0-9]+$';
export const LOCAL_NUMBER_STRING = '^[+-]?([0-9]*[.,٫])?[0-9]+$';

/** What `@IsDecimal()` takes. */
export const DECIMAL_STRING = '^[+-]?\\d*(\\.\\d+)?$';

/** What `@IsLatitude()` and `@IsLongitude()` take; the bounds of degrees stand beside them. */
export const LATITUDE_TEXT = '^\\(?[+-]?\\d';
export const LONGITUDE_TEXT = '^\\s?[+-]?\\d';

const NUMBERS: readonly unknown[] = [
  NUMBER_TEXT,
  FLOAT_TEXT,
  NUMBER_STRING,
  LOCAL_NUMBER_STRING,
  DECIMAL_STRING,
  LATITUDE_TEXT,
  LONGITUDE_TEXT,
];

/** How people write it of ids in a path. */
const ALL_DIGITS: readonly unknown[] = [DIGITS, '^\\d+$'];

/** What a text has to be whose pattern is that of a number; `undefined` of any other pattern. */
export function numberInWords({ pattern, type }: JsonSchema): string | undefined {
  if (ALL_DIGITS.includes(pattern)) return 'a whole number, in digits alone';
  if (pattern === INTEGER_TEXT) return 'a whole number';
  if (!NUMBERS.includes(pattern)) return undefined;
  return typesOf(type).includes('integer') ? 'a whole number' : 'a number';
}
