export * from './application.dispatcher';
export * from './arrival.guard';
export * from './destination-of';
export * from './dispatcher';
export * from './in-process.dispatcher';
export * from './passage.interceptor';
export * from './remote.dispatcher';
