// Waiting: abort signals, iteration that ends with one, limits, work outside a request's context.
export * from './abort';
export * from './async-iterable';
export * from './each-until-aborted';
export * from './in-parallel';
export * from './outside-requests';
export * from './paced-iterator';
export * from './settled-within';
export * from './take-until-aborted';
