import type { Progress } from '@modelcontextprotocol/client';
import type { JsonValue } from '../../../message';

const PAUSE_MS = 100;
const MAX_MESSAGE_CHARS = 500;

/**
 * Forwards a server's progress, at most ten times a second.
 *
 * @param mask masks credentials
 */
export function pacedProgress(
  emit: (data: JsonValue) => void,
  mask: (text: string) => string,
): (progress: Progress) => void {
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < PAUSE_MS || !Number.isFinite(progress)) return;
    last = now;
    emit({
      progress,
      ...(Number.isFinite(total) && { total: Number(total) }),
      ...(typeof message === 'string' && { message: mask(message).slice(0, MAX_MESSAGE_CHARS) }),
    });
  };
}
