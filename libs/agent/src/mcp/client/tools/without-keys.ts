/** A copy of a record without some keys. */
export function withoutKeys<Of extends object, Key extends string>(
  record: Of,
  ...keys: readonly Key[]
): Omit<Of, Key> {
  const left: readonly string[] = keys;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !left.includes(key))) as Omit<
    Of,
    Key
  >;
}
