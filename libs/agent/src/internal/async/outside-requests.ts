import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work in the async context in which the library was loaded. Work that serves no request, such as
 * the timers of a lease or a request of the library's own, then belongs to no request's trace and keeps
 * no request's context alive. An application may start within a request, as in a serverless function.
 */
export const outsideRequests = AsyncLocalStorage.snapshot();
