import { hash } from 'node:crypto';
import { isToolName } from '../tool';

const HASH_DIGITS = 8;
const LONGEST = 64;

/**
 * Maps a name that providers do not accept, such as `Class.method`: invalid characters become `_`,
 * and a digest of the whole name keeps it unique. The mapping is stable, so that stored
 * conversations stay valid; the registry keeps the original.
 */
export function toToolName(name: string): string {
  if (isToolName(name)) return name;
  const digest = hash('sha256', name).slice(0, HASH_DIGITS);
  const readable = name.replace(/[^a-zA-Z0-9_]+/g, '_').slice(0, LONGEST - HASH_DIGITS - 1);
  return `${readable}_${digest}`;
}
