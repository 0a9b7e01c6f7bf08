import { defined } from '../../internal';
import { isJsonObject, type JsonObject } from '../../message';
import { headerOf } from '../../http/wire';
import {
  LEGACY_REVISIONS,
  META,
  MODERN_REVISION,
  RPC,
  RpcError,
  type RpcRequest,
} from '../protocol';
import { clientNameOf, elicitsForms, sessionElicits } from './client';

/** The facts about the client in a request, read by the rules of its revision. */
export interface RequestEra {
  /** Whether the request describes itself, as in the modern revision. */
  readonly isModern: boolean;
  /** Whether the client can ask its user. */
  readonly elicits: boolean;
  /** The client's name for itself. */
  readonly client?: string;
}

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/**
 * Reads the era of a request and checks it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @throws RpcError with status 400, in the order of the specification
 */
export function eraOf(message: RpcRequest, request: unknown): RequestEra {
  const meta = isJsonObject(message.params['_meta']) ? message.params['_meta'] : {};
  const version = versionOf(request);
  if (!isModern(message, meta, version, request)) {
    const client = clientNameOf(undefined, request);
    return defined({ isModern: false, elicits: sessionElicits(request), client });
  }
  const capabilities = checkedMeta(meta, version);
  checkHeaders(message, request);
  const client = clientNameOf(meta[META.clientInfo], request);
  return defined({ isModern: true, elicits: elicitsForms(capabilities), client });
}

/** Some hosts send the header twice, which arrives as one list: equal values are one. */
function versionOf(request: unknown): string | undefined {
  const said = headerOf(request, 'mcp-protocol-version');
  const [first, ...others] = said?.split(',').map((value) => value.trim()) ?? [];
  return others.every((other) => other === first) ? first : said;
}

function isModern(
  { method }: RpcRequest,
  meta: JsonObject,
  version: string | undefined,
  request: unknown,
): boolean {
  if (meta[META.protocolVersion] !== undefined) return true;
  // Some bridges send it with a header of the modern revision, which has no such method.
  if (method === 'initialize') return false;
  if (version !== undefined) return !LEGACY_REVISIONS.includes(version);
  return headerOf(request, 'mcp-method') !== undefined;
}

function checkedMeta(meta: JsonObject, version: string | undefined): JsonObject {
  const requested = meta[META.protocolVersion];
  const capabilities = meta[META.clientCapabilities];
  if (typeof requested !== 'string' || !isJsonObject(capabilities)) {
    throw new RpcError(
      RPC.invalidParams,
      `"params._meta" needs "${META.protocolVersion}" and "${META.clientCapabilities}". Clients without them begin with "initialize".`,
      400,
    );
  }
  if (version !== requested) throw mismatch('MCP-Protocol-Version', version, requested);
  if (requested !== MODERN_REVISION) {
    throw new RpcError(
      RPC.unsupportedVersion,
      `Unsupported protocol version: ${requested.slice(0, 40)}`,
      400,
      { supported: [MODERN_REVISION], requested },
    );
  }
  return capabilities;
}

function checkHeaders({ method, params }: RpcRequest, request: unknown): void {
  const said = headerOf(request, 'mcp-method');
  if (said !== method) throw mismatch('Mcp-Method', said, method);
  const parameter = NAMED.get(method);
  if (parameter === undefined) return;
  const name = decoded(headerOf(request, 'mcp-name'));
  if (name !== params[parameter]) throw mismatch('Mcp-Name', name, params[parameter]);
}

/** Whole groups of Base64, the last of them padded: a lenient decoder accepts other texts, too. */
const ENCODED = /^=\?base64\?((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)\?=$/;

/** A header's value; one that is not plain ASCII arrives as Base64. */
function decoded(value: string | undefined): string | undefined {
  const encoded = ENCODED.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function mismatch(header: string, said: string | undefined, body: unknown): RpcError {
  const problem =
    said === undefined
      ? `the header ${header} is missing`
      : `${header} is ${JSON.stringify(said.slice(0, 100))}, the body has ${(JSON.stringify(body) ?? 'none').slice(0, 100)}`;
  return new RpcError(RPC.headerMismatch, `Header mismatch: ${problem}.`, 400);
}
