// Waiting: abort signals, iteration that ends with one, time limits, work outside a request's context.
export * from './abort';
export * from './async-iterable';
export * from './each-until-aborted';
export * from './outside-requests';
export * from './paced-iterator';
export * from './settled-within';
export * from './take-until-aborted';
