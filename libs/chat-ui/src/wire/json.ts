/** `undefined` for text that is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with all these keys. */
export function isObjectWith(...names: readonly string[]): (value: unknown) => boolean {
  return (value) =>
    typeof value === 'object' && value !== null && names.every((name) => name in value);
}
