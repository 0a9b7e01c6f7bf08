/** What is wrong with the value of each key; `false` for nothing. */
export type KeyRules<T> = { readonly [Key in keyof T]-?: (value: unknown) => string | false };

/** The problems of an object's values, and its keys without a rule. */
export function keyProblems<T>(rules: KeyRules<T>, object: object): readonly string[] {
  const values = object as Readonly<Record<string, unknown>>;
  const wrong = Object.entries<(value: unknown) => string | false>(rules)
    .map(([key, problemOf]) => problemOf(values[key]))
    .filter((problem) => problem !== false);
  const unknown = Object.keys(object).filter((key) => !Object.hasOwn(rules, key));
  return [...wrong, ...unknown.map((key) => `unknown key "${key}"`)];
}

export function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
