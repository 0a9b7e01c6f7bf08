import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AgentError } from '../../tool';
import type { ClaimedRun } from './run-queue';

/** The version of the format; part of the authenticated data. */
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The recommended length of a nonce. @see https://doi.org/10.6028/NIST.SP.800-38D */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEAST_CHARS = 32;

const FORM = /^(\d+)\.(\d{1,15})\.([\w-]{16})\.([\w-]+)$/;

/**
 * Encrypts texts for one run of one principal, until a deadline. A text that was moved to another
 * run, changed or has expired cannot be opened.
 */
export class Sealing {
  /** The first key encrypts. */
  private readonly keys: readonly [Buffer, ...Buffer[]];

  /** @throws AgentError `invalid_options` for a secret that is too short */
  constructor(secrets: readonly [string, ...string[]]) {
    for (const secret of secrets) {
      if (typeof secret === 'string' && secret.length >= LEAST_CHARS) continue;
      throw new AgentError(
        'invalid_options',
        `Every one of credentials.secrets must have at least ${LEAST_CHARS} characters.`,
      );
    }
    const [first, ...older] = secrets;
    this.keys = [keyOf(first), ...older.map(keyOf)];
  }

  /** @param deadline when the text expires; milliseconds since 1970 */
  seal(text: string, run: ClaimedRun, deadline: number): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0], nonce);
    cipher.setAAD(associated(run, deadline));
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${deadline}.${nonce.toString('base64url')}.${data.toString('base64url')}`;
  }

  /** @returns `undefined` if the text cannot be opened */
  open(sealed: string, run: ClaimedRun, now = Date.now()): string | undefined {
    const [, version, deadline = '', nonce = '', data = ''] = FORM.exec(sealed) ?? [];
    if (Number(version) !== VERSION || Number(deadline) < now) return undefined;
    const bytes = Buffer.from(data, 'base64url');
    if (bytes.length < TAG_BYTES) return undefined;
    const aad = associated(run, Number(deadline));
    for (const key of this.keys) {
      const text = opened(key, Buffer.from(nonce, 'base64url'), bytes, aad);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function opened(key: Buffer, nonce: Buffer, bytes: Buffer, aad: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(aad);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}

/** `v|runId|sessionId|principal|deadline`; encoded, so that no two runs have the same text. */
function associated({ runId, sessionId, principal = '' }: ClaimedRun, deadline: number): Buffer {
  const parts = [VERSION, runId, sessionId, principal, deadline];
  return Buffer.from(parts.map((part) => encodeURIComponent(wellFormed(String(part)))).join('|'));
}

/** `encodeURIComponent` refuses lone surrogates; JSON writes them as escapes. */
function wellFormed(text: string): string {
  return JSON.stringify(text);
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'nestjs-agent run claims', KEY_BYTES));
}
