// Small functions that several layers share: aborting, hashing, JSON, thrown values as
// text. Nothing here knows a type of the library.
export * from './abort';
export * from './canonical-json';
export * from './each-until-aborted';
export * from './json-in';
export * from './longest-timer';
export * from './paced-iterator';
export * from './race-abort';
export * from './settled-within';
export * from './short-hash';
export * from './thrown-text';
