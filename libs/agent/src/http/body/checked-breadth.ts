import type { Type } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../../message';
import { isKeptJson } from '../dto';

/**
 * Far more than the largest body that is meant. class-validator spends seconds on the hundred
 * thousand keys that fit into one, and words a problem for each.
 */
const MAX_CHECKED = 5_000;

/** Why a body is not validated: too many keys and list items would have to be looked at. */
export function breadthIssue(body: JsonObject, type: Type<object>): string | undefined {
  const checked = Object.entries(body)
    .filter(([key]) => !isKeptJson(type, key))
    .reduce((sum, [, value]) => sum + 1 + (Array.isArray(value) ? partsOf(value) : 0), 0);
  if (checked <= MAX_CHECKED) return undefined;
  return `The body has more than ${MAX_CHECKED} keys and list items.`;
}

/** Lists are looked into at every depth; of objects in them, only the keys are. */
function partsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) return Object.keys(value).length;
  return (value as readonly JsonValue[]).reduce<number>((sum, item) => sum + 1 + partsOf(item), 0);
}
