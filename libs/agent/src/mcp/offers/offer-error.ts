import type { ToolResponse } from '../../tool';
import { invalidParams, RPC, RpcError } from '../protocol';

/** The noun for the requested item, in messages. */
export type OfferNoun = 'resource' | 'prompt';

/**
 * Why a resource or a prompt has no result, as the client may read it.
 *
 * @param details for the client
 */
export function offerErrorOf(
  { status, error }: Pick<ToolResponse, 'status' | 'error'>,
  noun: OfferNoun,
  details?: object,
): RpcError {
  switch (error?.code) {
    case 'invalid_arguments':
      return invalidParams(error.message, details);
    case 'declined':
      return failed(`This ${noun} needs an approval, which it cannot ask for.`, details);
    case 'permission_denied':
      return failed(`Permission denied: this ${noun} may not be used.`, details);
    case 'timeout':
      return failed(`The ${noun} did not answer in time.`, details);
    case 'interrupted':
      return failed('The request was cancelled.', details);
    case undefined:
    case 'tool_failed':
    case 'invalid_output':
      return failed(`The ${noun} failed with an unexpected error.`, details);
    default:
      return failed(error?.message ?? `The ${noun} is ${status}.`, details);
  }
}

function failed(message: string, details?: object): RpcError {
  return new RpcError(RPC.internalError, message, 200, details);
}
