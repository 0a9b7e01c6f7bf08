import { AsyncResource } from 'node:async_hooks';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, from, isObservable, mergeAll, mergeMap, type Observable, of } from 'rxjs';
import { isAsyncIterable, paced } from '../../internal';

/**
 * Runs the handler inside the interceptors. Without interceptors the result is its value, otherwise
 * a stream of all values.
 */
export async function intercept(
  interceptors: readonly NestInterceptor[],
  context: ExecutionContext,
  handler: () => Promise<unknown>,
): Promise<unknown> {
  if (interceptors.length === 0) return flattened(await handler());
  const enter = (index: number): Observable<unknown> => {
    const interceptor = interceptors[index];
    if (interceptor === undefined) return valuesOf(handler);
    // Bound, so that an interceptor's `AsyncLocalStorage.run` includes the handler.
    const next: CallHandler = { handle: () => defer(AsyncResource.bind(() => enter(index + 1))) };
    return from(Promise.resolve(interceptor.intercept(context, next))).pipe(mergeAll());
  };
  return defer(() => enter(0));
}

function valuesOf(handler: () => Promise<unknown>): Observable<unknown> {
  return from(handler()).pipe(
    mergeMap((value) => {
      const outcome = flattened(value);
      return isObservable(outcome) ? outcome : of(outcome);
    }),
  );
}

/**
 * Converts a generator to an Observable, so that filters catch its errors. Its values are progress,
 * its `return` value is the result.
 */
function flattened(value: unknown): unknown {
  return isAsyncGenerator(value) ? from(allValuesOf(value)) : value;
}

async function* allValuesOf(generator: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  const result: unknown = yield* paced(generator);
  if (result !== undefined) yield result;
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown> {
  return isAsyncIterable(value) && 'next' in value && typeof value.next === 'function';
}
