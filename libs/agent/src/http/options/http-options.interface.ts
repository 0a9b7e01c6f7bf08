import type { AttachmentLimits } from '../../run';
import type { PrincipalOf } from '../caller';

/**
 * How the chat page at `<path>/ui` learns who is logged in, where that is no cookie.
 *
 * @example
 * const ui: UiOptions = { loginUrl: '/login', headersKey: 'agent-headers' };
 */
export interface UiOptions {
  /**
   * The address that the page sends who is not logged in to; `?return=` says where to come back to.
   * What was written and not sent waits for that in the tab's `sessionStorage`. Nowhere by default.
   */
  readonly loginUrl?: string;
  /**
   * The key in the tab's `sessionStorage` under which the application's log-in leaves the headers of
   * every request, as JSON.
   */
  readonly headersKey?: string;
  /**
   * The address of a module script of the application's own, on the same origin: the page runs it
   * before the element is defined, so that it can set the element's `headers` and `refresh`. None by
   * default.
   */
  readonly script?: string;
}

/**
 * What becomes of a run whose client goes away.
 *
 * @example
 * const onDisconnect: DisconnectPolicy = { graceMs: 30_000 };
 */
export type DisconnectPolicy =
  | 'cancel'
  | 'continue'
  | {
      /**
       * Milliseconds after which the run is cancelled, unless somebody reads its events again by
       * then, in whichever process.
       */
      readonly graceMs: number;
    };

/** The module's options that the endpoints follow, defaults filled in. */
export interface AgentHttpOptions {
  /** The agent's name; on the OpenAI endpoint it stands for the default model. */
  readonly name: string;
  /** The path the controllers serve, without slashes around it. */
  readonly path: string;
  readonly principal: PrincipalOf;
  /** What becomes of a run whose client goes away. */
  readonly onDisconnect: DisconnectPolicy;
  readonly limits: {
    /** Bytes of a request's body, after decompression. */
    readonly bodyBytes: number;
    /** Pictures and files that a message may have; `false` for none. */
    readonly attachments: Required<AttachmentLimits> | false;
    /** Bytes that attachments may have besides, in base64; `false` where nothing may be attached. */
    readonly attachmentBytes: number | false;
    /** Bytes of a body that brings a whole conversation. */
    readonly uiBodyBytes: number;
    /** Messages that one request of the OpenAI endpoint may bring. */
    readonly historyMessages: number;
  };
  /** What the chat page is told of the application around it. */
  readonly ui?: UiOptions;
  readonly sse: {
    /** Milliseconds between signs of life on a stream that is otherwise silent. */
    readonly heartbeatMs: number;
    /** Milliseconds after which a client that reads nothing is dropped. */
    readonly stallMs: number;
  };
}

export const DEFAULT_SSE: AgentHttpOptions['sse'] = { heartbeatMs: 15_000, stallMs: 60_000 };
