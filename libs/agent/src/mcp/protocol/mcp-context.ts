import type { JsonObject } from '../../message';
import type { RpcAnswer } from './json-rpc';

/** The caller of one MCP request, after the guards. */
export interface McpCaller {
  /** The logged-in user; missing for anonymous callers. */
  readonly principal?: string;
  /** The request as guards, pipes and routes see it. */
  readonly request: unknown;
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Name and version of the host, as it reports them. */
  readonly client?: string;
  /** Whether the host can get a token with more scopes, because the server names where to log in. */
  readonly canStepUp?: boolean;
}

/** The surroundings of one request: its caller, its revision, and messages beside its result. */
export interface McpContext {
  /** The caller, for the library. */
  readonly caller: McpCaller;
  /** Whether the request is of the modern revision. */
  readonly isModern: boolean;
  /** Whether the client can ask its user. */
  readonly elicits: boolean;
  /** Sends a notification before the result; dropped if the client accepts no stream. */
  readonly notify: (method: string, params: JsonObject) => void;
  /**
   * Sends a request to a legacy client, and resolves with its answer, or `undefined` if the time is
   * up. Missing if the client accepts no stream.
   */
  readonly ask?: (
    method: string,
    params: JsonObject,
    timeoutMs: number,
  ) => Promise<GivenAnswer | undefined>;
}

/** A client's answer, and the request that brought it: its credentials are the newest. */
export interface GivenAnswer {
  readonly answer: RpcAnswer;
  readonly request: unknown;
}
