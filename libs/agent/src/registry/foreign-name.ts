import { createHash } from 'node:crypto';
import { isToolName } from '../tool';

const HASH_DIGITS = 8;
const LONGEST = 64;

/**
 * The name a provider accepts for one it would not, such as `Class.method`: what is not allowed
 * becomes `_`, and a digest of the whole name keeps two of them apart. The same name always gives
 * the same one, so that stored conversations still fit; the way back is the registry's to know.
 */
export function toToolName(name: string): string {
  if (isToolName(name)) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS);
  const readable = name.replace(/[^a-zA-Z0-9_]+/g, '_').slice(0, LONGEST - HASH_DIGITS - 1);
  return `${readable}_${digest}`;
}
