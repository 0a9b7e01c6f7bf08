import { wellFormed } from '../../history';
import { shortHash } from '../../../internal';
import type { OpenAiQuirks } from '../openai-quirks';

/** An id of the library in a service's form; the same id always gives the same result. */
export function openAiCallId(id: string, quirks: OpenAiQuirks): string {
  if (quirks.shortCallIds === true) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : shortHash(id, 9);
  const { maxCallIdChars = Infinity } = quirks;
  const isTaken = id.length <= maxCallIdChars && wellFormed(id) === id;
  return isTaken ? id : `call_${shortHash(id, 32)}`;
}
