import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work in the async context in which the library was loaded. What serves no request, such as the
 * timers of a lease, then belongs to no request's trace, nor holds its context.
 */
export const outsideRequests = AsyncLocalStorage.snapshot();
