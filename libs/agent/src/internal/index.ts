// Small functions that several layers share: waiting, texts, decompression, collections and warnings for
// the log. Nothing here knows a type of the library.
export * from './async';
export * from './decoder-of';
export * from './defined';
export * from './free-name';
export * from './frozen-copy';
export * from './get-or-add';
export * from './magic-bytes';
export * from './once';
export * from './plugin-key';
export * from './prototype-chain';
export * from './reconnect-on-replica';
export * from './tagged';
export * from './tally';
export * from './text';
export * from './warn-once';
export * from './with-fallback';
