/** Values that differ from one run to the next: ids, times and counts. */
const VOLATILE =
  /^(sessionId|runId|callId|id|timestamp|expiresAt|createdAt|lastUsedAt|updatedAt|durationMs|\w*[tT]okens\w*)$/;

/**
 * A document's JSON example, or an answer to hold against it: each value that no two runs share is
 * replaced by its type and, for an id, its prefix.
 */
export function shownJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      VOLATILE.test(key) ? kindOf(entry) : shownJson(entry),
    ]),
  );
}

function kindOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  return Number.isNaN(Date.parse(value)) ? `string ${/^[a-z]+_/.exec(value)?.[0] ?? ''}` : 'time';
}
