import { HttpException } from '@nestjs/common';
import { httpExceptionOf, isInternal, messageOf, type Failure } from '../../http/errors';
import { AgentError } from '../../tool';
import { InsufficientScopeException } from '../auth';
import { errorMessage, RPC, RpcError, type RpcId } from '../protocol';

/** An unreadable body is a parse error; other refusals before the request is read are invalid. */
export function unreadable(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const refused = refusalOf(error);
  const { status, message } = refused;
  return status === 400 ? new RpcError(RPC.parseError, `Parse error: ${message}`, 400) : refused;
}

/** A refusal of the whole request, by a guard or for its size. */
export function refusalOf(error: unknown): RpcError {
  const exception = httpExceptionOf(error);
  return new RpcError(RPC.invalidRequest, messageOf(exception), exception.getStatus());
}

/** An error of a method. Only messages meant for callers are included. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof InsufficientScopeException) return refusalOf(error);
  const exception = httpExceptionOf(error);
  const isOfCaller = error instanceof HttpException || error instanceof AgentError;
  const message = isOfCaller && !isInternal(error) ? messageOf(exception) : 'Internal error';
  return new RpcError(RPC.internalError, message, exception.getStatus() === 503 ? 503 : 200);
}

/** A refusal as an HTTP answer. */
export function rpcFailure(error: RpcError, id: RpcId | null = null): Failure {
  return { status: error.status, headers: {}, body: errorMessage(id, error) };
}
