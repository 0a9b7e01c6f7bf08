import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, LONGEST_TIMER_MS } from '../../internal';
import type { JsonObject } from '../../message';
import { type Tool, toolDigest } from '../../tool';

export interface ApprovedCall {
  readonly principal?: string;
  /** As the user is asked for it: a replaced tool of the same name needs a new question. */
  readonly tool: Tool;
  readonly args: JsonObject;
}

/** The content of a state that was verified. */
interface ApprovalClaim {
  /** Identifies the approval, which can be used once. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How far the clocks of a fleet's processes may differ. */
export const CLOCK_LEEWAY_MS = 60_000;
/** The record that an approval was used is removed by a timer. */
export const LONGEST_APPROVAL_MS = LONGEST_TIMER_MS - CLOCK_LEEWAY_MS;

/** `v1`, nonce, expiry, signature. */
const SHAPE = /^v1\.([\w-]{22})\.(\d{13})\.([\w-]{43})$/;

/**
 * The state of an approval, which the client sends back: signed, and valid for one principal, one
 * call and a limited time. It names neither the principal nor the call.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class ApprovalStates {
  /**
   * @param secret the server's secret
   * @param path the server's path, which distinguishes servers that share a secret
   * @param lifetimeMs how long a state is valid
   */
  constructor(
    private readonly secret: string,
    private readonly path: string,
    private readonly lifetimeMs: number,
  ) {}

  issue(call: ApprovedCall): string {
    const nonce = randomBytes(16).toString('base64url');
    const expiresAt = Date.now() + this.lifetimeMs;
    return `v1.${nonce}.${expiresAt}.${this.sign(call, { nonce, expiresAt }).toString('base64url')}`;
  }

  /**
   * The claim; `invalid` if the state was not issued for this call, was changed or has expired;
   * `outlasting` if it would outlive the record that it was used, since the lifetime was shortened or
   * the clock of the process that issued it is ahead.
   */
  verify(state: unknown, call: ApprovedCall): ApprovalClaim | 'invalid' | 'outlasting' {
    const [, nonce = '', expiry = '', signature = ''] =
      (typeof state === 'string' && SHAPE.exec(state)) || [];
    const claim = { nonce, expiresAt: Number(expiry) };
    const leftMs = claim.expiresAt - Date.now();
    if (nonce === '' || leftMs <= 0) return 'invalid';
    const expected = this.sign(call, claim);
    if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) return 'invalid';
    return leftMs > this.lifetimeMs + CLOCK_LEEWAY_MS ? 'outlasting' : claim;
  }

  private sign(
    { principal, tool, args }: ApprovedCall,
    { nonce, expiresAt }: ApprovalClaim,
  ): Buffer {
    const call = canonicalJson([toolDigest(tool), args]);
    const claims = [this.path, principal ?? null, call, nonce, expiresAt];
    return createHmac('sha256', this.secret)
      .update(`mcp-approval:${JSON.stringify(claims)}`)
      .digest();
  }
}
