import { jsonIn } from '../internal';
import { isJsonObject } from '../message';
import type { RunSignal } from '../run';

const MAX_CHARS = 1_024;

/** Parses a signal from a channel; `undefined` if it is invalid. */
export function signalIn(text: string): RunSignal | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const value = jsonIn(text);
  if (!isJsonObject(value)) return undefined;
  const { type, callId } = value;
  if (type === 'stop') return { type };
  return type === 'delivered' && typeof callId === 'string' ? { type, callId } : undefined;
}
