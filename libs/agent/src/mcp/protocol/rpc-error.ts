/** Codes of JSON-RPC and of MCP. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** A header contradicts the body. */
  headerMismatch: -32_020,
  /** The client lacks a capability that the request needs. */
  missingCapability: -32_021,
  /** The revision is not served. */
  unsupportedVersion: -32_022,
} as const;

/**
 * An error as the protocol sends it. Its message goes to the client.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  /**
   * @param code one of `RPC`
   * @param status the HTTP status for modern clients; 200 by default. Legacy clients get 200, except
   *   for requests that cannot be read
   * @param data further details for the client
   */
  constructor(
    readonly code: number,
    message: string,
    readonly status = 200,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** An argument of a method is missing or wrong. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(RPC.invalidParams, message, 200, data);
}
