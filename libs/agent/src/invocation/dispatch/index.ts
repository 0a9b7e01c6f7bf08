export * from './dispatcher';
export * from './in-process.dispatcher';
