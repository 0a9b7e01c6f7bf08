import { canonicalJson, shortHash } from '../internal';
import type { Tool } from './tool';

const DIGITS = 32;

/**
 * What an approval holds for: the tool's definition, origin and effects. It is the same in every
 * process, and another one once any of them changes.
 */
export function toolDigest({ definition, kind, source, traits }: Tool): string {
  return shortHash(canonicalJson([definition, kind, source, traits]), DIGITS);
}
