import type { Delivery } from '../../invocation';
import { isJsonObject, type JsonValue } from '../../message';

/** A delivery in its stored form. */
export function jsonOf(delivery: Delivery): JsonValue {
  if (delivery.type === 'error') return { error: delivery.message };
  return delivery.result === undefined ? {} : { result: delivery.result };
}

/** `undefined` if nothing was delivered, or after the timeout. */
export function deliveryOf(stored: JsonValue | undefined): Delivery | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { error, result } = stored;
  return typeof error === 'string' ? { type: 'error', message: error } : { type: 'result', result };
}
