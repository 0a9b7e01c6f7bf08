import { type ExceptionFilter, HttpException } from '@nestjs/common';
import { detachedContext } from './detached-context';
import { DetachedResponse } from './detached-response';
import { assertUnanswered, recover } from './filters';

/**
 * A guard's error as the application's filters answer it, for endpoints that word errors in their
 * protocol's form. An error that filters neither answer nor turn into a refusal stays as it is.
 *
 * @param filters those of the application, in the order of declaration
 */
export async function filteredError(
  error: unknown,
  filters: readonly ExceptionFilter[],
  request: unknown,
): Promise<unknown> {
  const response = new DetachedResponse(request);
  // The promise of a filter that has answered may stay pending.
  const answered = new Promise<void>((resolve) => response.once('finish', resolve)).then(() =>
    assertUnanswered(response, error),
  );
  const recovered = recover(error, filters, detachedContext(request, response), response);
  for (const outcome of [answered, recovered]) outcome.catch(() => undefined);
  try {
    await Promise.race([answered, recovered]);
    return error;
  } catch (outcome) {
    const isRefusal = outcome instanceof HttpException && outcome.getStatus() < 500;
    return isRefusal || response.answer !== undefined ? outcome : error;
  } finally {
    response.complete();
  }
}
