import type { JsonValue } from '../../message';

/** Deeper than any message needs, far from where recursion over it would hurt. */
const MAX_DEPTH = 64;

/** Why a body is not taken as it is: too deep, or meant to reach an object's prototype. */
export function plainJsonIssue(value: JsonValue, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
  if (Object.hasOwn(value, '__proto__')) return 'The key "__proto__" is not allowed.';
  for (const child of Object.values<JsonValue>(value)) {
    const issue = plainJsonIssue(child, depth + 1);
    if (issue !== undefined) return issue;
  }
  return undefined;
}
