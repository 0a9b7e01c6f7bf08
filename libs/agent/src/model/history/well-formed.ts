/// <reference lib="es2024.string" />

/**
 * The same JSON value with every lone surrogate replaced, also in keys; the value itself if there
 * is none. JavaScript writes lone surrogates into JSON, but parsers differ on them, and a provider
 * that refuses them refuses the history at every further call.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-8.2
 */
export function wellFormed<T>(value: T): T {
  return replaced(value) as T;
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.map(replaced);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [key.toWellFormed(), replaced(item)] as const);
  const isSame = changed.every(
    ([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(changed);
}
