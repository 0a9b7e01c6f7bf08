import type { Delivery } from '../../invocation';
import { isJsonObject, type JsonValue } from '../../message';

/** A delivery as stores keep it. */
export function jsonOf(delivery: Delivery): JsonValue {
  if ('error' in delivery) return { error: delivery.error };
  return delivery.result === undefined ? {} : { result: delivery.result };
}

/** `undefined` where nothing was delivered, or the time is up. */
export function deliveryOf(stored: JsonValue | undefined): Delivery | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { error, result } = stored;
  return typeof error === 'string' ? { error } : { result };
}
