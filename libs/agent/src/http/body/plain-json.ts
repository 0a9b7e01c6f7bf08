import type { JsonValue } from '../../message';

/** Deeper than any message needs, and safe for recursive functions. */
const MAX_DEPTH = 64;

/** The problem of a body that is too deep or has keys that could reach a prototype. */
export function plainJsonIssue(value: JsonValue, depth = 0): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return 'The body has a number that is too large.';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
  if (Object.hasOwn(value, '__proto__')) return 'The key "__proto__" is not allowed.';
  for (const child of Object.values<JsonValue>(value)) {
    const issue = plainJsonIssue(child, depth + 1);
    if (issue !== undefined) return issue;
  }
  return undefined;
}
