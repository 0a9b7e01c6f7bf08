/** A name with `*` for any characters, as an expression for whole names. */
export function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map(escapeRegExp);
  return new RegExp(`^${parts.join('[^]*')}$`);
}

/** Whether a name matches a pattern to include, all names by default, and none to exclude. */
export function nameRule({
  include = ['*'],
  exclude = [],
}: {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}): (name: string) => boolean {
  const included = include.map(wildcard);
  const excluded = exclude.map(wildcard);
  return (name) =>
    included.some((each) => each.test(name)) && !excluded.some((each) => each.test(name));
}

/** A text as a regular expression matches it, with and without the `u` flag. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
