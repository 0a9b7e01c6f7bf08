import { defined } from '../../internal';
import type { CallOptions } from '../../invocation';
import type { McpCaller } from '../protocol';

/** The caller of a request as the caller of a tool. */
export function callContextOf({ principal, request, signal, client }: McpCaller): CallOptions {
  return defined({ request, signal, via: 'mcp', principal, client });
}
