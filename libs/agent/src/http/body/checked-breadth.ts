import type { Type } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../../message';
import { isKeptJson } from '../dto';

/**
 * Far above the largest intended body. class-validator takes seconds for a hundred thousand keys,
 * and reports each.
 */
const MAX_CHECKED = 5_000;

/** The problem of a body with too many keys and list items to validate. */
export function breadthIssue(body: JsonObject, type: Type<object>): string | undefined {
  const checked = Object.entries(body)
    .filter(([key]) => !isKeptJson(type, key))
    .reduce((sum, [, value]) => sum + 1 + (Array.isArray(value) ? partsOf(value) : 0), 0);
  if (checked <= MAX_CHECKED) return undefined;
  return `The body has more than ${MAX_CHECKED} keys and list items.`;
}

/** Counts the items of nested lists, and the keys of objects in them. */
function partsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) return Object.keys(value).length;
  return (value as readonly JsonValue[]).reduce<number>((sum, item) => sum + 1 + partsOf(item), 0);
}
