// Sends a route tool's request through the application's own request handler, within the process.
export * from './application.dispatcher';
export * from './arrival.guard';
export * from './caller-guards';
export { destinationOf } from './in-process-connection';
export * from './dispatcher';
export * from './in-process.dispatcher';
export * from './passage.interceptor';
export * from './remote.dispatcher';
