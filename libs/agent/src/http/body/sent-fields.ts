import type { HttpException } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../message';
import { invalidRequest } from './json-body';

const MAX_NAME = 256;

/** The refusal of a field, with its expected form. */
export function mustBe(field: string, what: string): HttpException {
  return invalidRequest([`${field} must be ${what}.`]);
}

/** The objects of a list; an absent one is empty. @throws HttpException 400 naming list or item */
export function objectsAt(
  value: unknown,
  field: string,
  maxCount = Infinity,
): readonly JsonObject[] {
  const items = value ?? [];
  if (!Array.isArray(items)) throw mustBe(field, 'an array');
  if (items.length > maxCount) throw mustBe(field, `an array of at most ${maxCount} items`);
  return items.map((item: unknown, index) => {
    if (isJsonObject(item)) return item;
    throw mustBe(`${field}/${index}`, 'an object');
  });
}

/** A name. @throws HttpException 400 naming the field */
export function nameAt(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME) return value;
  throw mustBe(field, `a string of 1 to ${MAX_NAME} characters`);
}

/** A text, which may be empty. @throws HttpException 400 naming the field */
export function stringAt(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw mustBe(field, 'a string');
}

/** A text; `undefined` if it is absent. @throws HttpException 400 naming the field */
export function textAt(value: unknown, field: string): string | undefined {
  return value === undefined || value === null ? undefined : stringAt(value, field);
}

/** An object; `undefined` if it is absent. @throws HttpException 400 naming the field */
export function objectAt(value: unknown, field: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  throw mustBe(field, 'an object');
}
