import { withFallback } from '../with-fallback';

/** The value of a JSON text; the fallback for any other text. */
export function jsonIn(text: string, fallback?: unknown): unknown {
  return withFallback(() => JSON.parse(text) as unknown, fallback);
}
