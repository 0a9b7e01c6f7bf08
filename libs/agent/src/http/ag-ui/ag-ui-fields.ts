import { type HttpException } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../message';
import { invalidRequest } from '../body';

/** The refusal of a field, with what it has to be. */
export function mustBe(field: string, what: string): HttpException {
  return invalidRequest([`"${field}" must be ${what}.`]);
}

/** A list; an absent one is empty. @throws HttpException 400 naming the field */
function listAt(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw mustBe(field, 'an array');
}

/** The objects of a list. @throws HttpException 400 naming the list or the item */
export function objectsAt(
  value: unknown,
  field: string,
  maxCount = Infinity,
): readonly JsonObject[] {
  const items = listAt(value, field);
  if (items.length > maxCount) throw mustBe(field, `an array of at most ${maxCount} items`);
  return items.map((item, index) => {
    if (isJsonObject(item)) return item;
    throw mustBe(`${field}/${index}`, 'an object');
  });
}

/** A text of at least one character. @throws HttpException 400 naming the field */
export function nameAt(value: unknown, field: string, maxChars = 256): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxChars) return value;
  throw mustBe(field, `a string of 1 to ${maxChars} characters`);
}

/** A text; `undefined` if it is absent. @throws HttpException 400 naming the field */
export function textAt(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw mustBe(field, 'a string');
}

/** An object; `undefined` if it is absent. @throws HttpException 400 naming the field */
export function objectAt(value: unknown, field: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  throw mustBe(field, 'an object');
}
