import type { JsonSchema } from '../../tool';
import { typesOf } from './combine';

/** Text that `Number` converts. */
export const NUMBER_TEXT = '^\\s*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?\\s*$';

/** Text that begins like a number, as for `parseFloat`. */
export const FLOAT_TEXT = '^\\s*[+-]?(\\d|\\.\\d)';

export const INTEGER_TEXT = '^-?\\d+$';

/** Digits alone. */
export const DIGITS = '^[0-9]+$';

/** The text of `@IsNumberString()`, without a locale and with one. */
export const NUMBER_STRING = '^[+-]?([0-9]*\\.)?[0-9]+$';
export const LOCAL_NUMBER_STRING = '^[+-]?([0-9]*[.,٫])?[0-9]+$';

/** The text of `@IsDecimal()`. */
export const DECIMAL_STRING = '^[+-]?\\d*(\\.\\d+)?$';

/** The text of `@IsLatitude()` and `@IsLongitude()`; the bounds of degrees stand beside it. */
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

/** Both common forms, as for ids in a path. */
const ALL_DIGITS: readonly unknown[] = [DIGITS, '^\\d+$'];

/** Words for the pattern of a number; `undefined` for any other pattern. */
export function numberInWords({ pattern, type }: JsonSchema): string | undefined {
  if (ALL_DIGITS.includes(pattern)) return 'a whole number, in digits alone';
  if (pattern === INTEGER_TEXT) return 'a whole number';
  if (!NUMBERS.includes(pattern)) return undefined;
  return typesOf(type).includes('integer') ? 'a whole number' : 'a number';
}
