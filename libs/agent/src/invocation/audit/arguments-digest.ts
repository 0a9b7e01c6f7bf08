import { createHmac, hash } from 'node:crypto';
import type { JsonObject } from '../../message';
import { canonicalJson } from '../../internal';

/** A digest of arguments, independent of the order of keys. */
export function argumentsDigest(input: JsonObject, key?: string): string {
  const text = canonicalJson(input);
  return key === undefined
    ? `sha256:${hash('sha256', text)}`
    : `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}
