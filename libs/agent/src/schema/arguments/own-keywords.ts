import { canonicalJson } from '../../internal';
import type { KeywordDefinition } from 'ajv';
import type { JsonSchema } from '../../tool';

const DECIMAL_MULTIPLE = 'decimalMultipleOf';
const ALL_DIFFER = 'allItemsDiffer';

/** Replacements for `multipleOf` and `uniqueItems`. */
export const OWN_KEYWORDS: readonly KeywordDefinition[] = [
  {
    // In decimals, 0.07 is a multiple of 0.01; in binary fractions it is not. And ajv divides large
    // numbers wrongly.
    keyword: DECIMAL_MULTIPLE,
    type: 'number',
    schemaType: 'number',
    validate: isMultiple,
    error: { message: ({ schema }) => `must be multiple of ${String(schema)}` },
  },
  {
    // Items are hashed: pairwise comparison takes minutes for thousands.
    keyword: ALL_DIFFER,
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: readonly unknown[]) =>
      !isWanted || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  },
];

/** The schema with these keywords in place of the standard ones. */
export function withOwnKeywords(schema: JsonSchema): JsonSchema {
  const { multipleOf, uniqueItems } = schema;
  if (multipleOf === undefined && uniqueItems === undefined) return schema;
  return {
    ...schema,
    ...(multipleOf !== undefined && { multipleOf: undefined, [DECIMAL_MULTIPLE]: multipleOf }),
    ...(uniqueItems !== undefined && { uniqueItems: undefined, [ALL_DIFFER]: uniqueItems }),
  };
}

function isMultiple(divisor: number, value: number): boolean {
  if (Number.isInteger(divisor)) return value % divisor === 0;
  const [whole, part] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(whole.exponent, part.exponent);
  return scaled(whole, exponent) % scaled(part, exponent) === 0n;
}

/** A decimal number: digits, times ten to the power of an exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
