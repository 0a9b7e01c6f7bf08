import { canonicalJson, shortHash } from '../internal';
import type { Tool } from './tool';

const DIGITS = 32;

/**
 * The digest of an approved tool: the tool's definition, origin and effects. Every process
 * computes the same one; it changes with any of them.
 */
export function toolDigest({ definition, kind, source, traits }: Tool): string {
  return shortHash(canonicalJson([definition, kind, source, traits]), DIGITS);
}
