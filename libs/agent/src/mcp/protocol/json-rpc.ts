import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { RPC, RpcError } from './rpc-error';

/** The id of a request. */
export type RpcId = string | number;

/** Streams keep their request's id and repeat it with each message. */
const MAX_ID_CHARS = 1_000;

/** A message that expects an answer. */
export interface RpcRequest {
  readonly type: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
}

/** A message without an answer. */
export interface RpcNotification {
  readonly type: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** The client's answer to a request of the server. */
export interface RpcAnswer {
  readonly type: 'answer';
  readonly id: RpcId;
  readonly result?: JsonObject;
}

type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

/**
 * Reads one message. A batch, which only revision 2025-03-26 has, is refused.
 *
 * @throws RpcError invalid request
 */
export function rpcMessageOf(body: unknown): RpcMessage {
  if (!isJsonObject(body)) {
    throw invalid('Send one JSON-RPC message: batches and other JSON values are not supported.');
  }
  const { jsonrpc, id, method, result, error } = body;
  const given = body['params'] ?? {};
  if (jsonrpc !== '2.0') throw invalid('"jsonrpc" must be "2.0".');
  if (method === undefined && isId(id) && (isJsonObject(result) || isJsonObject(error))) {
    return { type: 'answer', id, ...(isJsonObject(result) && { result }) };
  }
  if (typeof method !== 'string') throw invalid('"method" must be a string.');
  if (!isJsonObject(given)) throw invalid('"params" must be an object.');
  // Some clients send null for omitted members, such as the arguments of a call.
  const params = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  if (id === undefined) return { type: 'notification', method, params };
  if (!isId(id)) {
    throw invalid(
      `"id" must be a number of at most 2^53 - 1, or a string of at most ${MAX_ID_CHARS} characters.`,
    );
  }
  return { type: 'request', id, method, params };
}

/** The id of a request, even if the rest of it is invalid; `null` if it has none. */
export function rpcIdOf(body: unknown): RpcId | null {
  return isJsonObject(body) && isId(body['id']) ? body['id'] : null;
}

export function resultMessage(id: RpcId, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

export function errorMessage(id: RpcId | null, { code, message, data }: RpcError): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * Also for the tokens of progress, which are repeated in the same way. A larger number would lose
 * digits, and its client would wait for ever.
 */
export function isId(id: JsonValue | undefined): id is RpcId {
  if (typeof id === 'string') return id.length <= MAX_ID_CHARS;
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
}

function invalid(message: string): RpcError {
  return new RpcError(RPC.invalidRequest, `Invalid request: ${message}`, 400);
}
