import { type ExceptionFilter, HttpException } from '@nestjs/common';
import { AgentError } from '../../tool';
import { DetachedHost } from './detached-host';
import { DetachedResponse } from './detached-response';
import { recover } from './filters';

/**
 * A guard's error as the application's filters answer it, for endpoints that word errors in their
 * protocol's form. An error that filters do not refuse with 4xx stays as it is.
 *
 * @param filters those of the application, in the order of declaration
 */
export async function filteredError(
  error: unknown,
  filters: readonly ExceptionFilter[],
  request: unknown,
): Promise<unknown> {
  if (error instanceof HttpException || error instanceof AgentError) return error;
  const response = new DetachedResponse(request);
  try {
    await recover(error, filters, new DetachedHost(request, response), response);
    return error;
  } catch (answered) {
    const isRefusal = answered instanceof HttpException && answered.getStatus() < 500;
    return isRefusal ? answered : error;
  } finally {
    response.complete();
  }
}
