import type { AttachmentLimits } from '../../run';
import type { PrincipalOf } from '../caller';
import type { ServedProtocols } from './protocol-options';

/**
 * The chat page at `<path>/ui`: how it authenticates without a cookie, and its language.
 *
 * @example
 * const ui: UiOptions = { loginUrl: '/login', headersKey: 'agent-headers' };
 */
export interface UiOptions {
  /**
   * The login page: anonymous users are sent there; `?return=` holds the address to return to.
   * Unsent text is kept in the tab's `sessionStorage` meanwhile. None by default.
   */
  readonly loginUrl?: string;
  /**
   * The key in the tab's `sessionStorage` under which the application's login stores the headers of
   * every request, as JSON.
   */
  readonly headersKey?: string;
  /**
   * The address of the application's own module script, on the same origin: the page runs it before
   * the element is defined, so that it can set the element's `headers` and `refresh`. None by
   * default.
   */
  readonly script?: string;
  /**
   * The language of the pages, a BCP 47 tag such as `de`. The chat and the workbench have English and
   * German words; `script` can set others (`texts` of each element). `en` by default.
   */
  readonly lang?: string;
}

/**
 * The handling of a run after its client disconnects.
 *
 * @example
 * const onDisconnect: DisconnectPolicy = { graceMs: 30_000 };
 */
export type DisconnectPolicy =
  | 'cancel'
  | 'continue'
  | {
      /**
       * Milliseconds after which the run is cancelled, unless its events are read again by then, in
       * any process.
       */
      readonly graceMs: number;
    };

/** The module's options for the endpoints, defaults filled in. */
export interface AgentHttpOptions {
  /** The agent's name; on the OpenAI endpoint it stands for the default model. */
  readonly name: string;
  /** The path of the controllers, without leading and trailing slashes. */
  readonly path: string;
  readonly principal: PrincipalOf;
  /** The handling of a run after its client disconnects. */
  readonly onDisconnect: DisconnectPolicy;
  readonly protocols: ServedProtocols;
  /** Whether the protocols of others are sent the model's reasoning. */
  readonly sendReasoning: boolean;
  readonly limits: {
    /** Maximum bytes of a request's body, after decompression. */
    readonly bodyBytes: number;
    /** Limits of pictures and files in a message; `false` if attachments are disabled. */
    readonly attachments: Required<AttachmentLimits> | false;
    /** Additional bytes for attachments, in base64; `false` if attachments are disabled. */
    readonly attachmentBytes: number | false;
    /** Maximum bytes of a body with a whole conversation. */
    readonly uiBodyBytes: number;
    /** Maximum messages of one request of the OpenAI endpoint. */
    readonly historyMessages: number;
  };
  /** Settings of the chat page from the surrounding application. */
  readonly ui?: UiOptions;
  readonly sse: {
    /** Milliseconds between heartbeats on an otherwise silent stream. */
    readonly heartbeatMs: number;
    /** Milliseconds after which a client that reads nothing is disconnected. */
    readonly stallMs: number;
  };
}

export const DEFAULT_SSE: AgentHttpOptions['sse'] = { heartbeatMs: 15_000, stallMs: 60_000 };
