// Small functions that several layers share: aborting, hashing, decompression, JSON, texts and
// warnings for the log. Nothing here knows a type of the library.
export * from './abort';
export * from './canonical-json';
export * from './capitalised';
export * from './decoder-of';
export * from './defined';
export * from './each-until-aborted';
export * from './edit-distance';
export * from './get-or-add';
export * from './json-in';
export * from './message-of';
export * from './once';
export * from './outside-requests';
export * from './paced-iterator';
export * from './plugin-key';
export * from './printable';
export * from './settled-within';
export * from './short-hash';
export * from './take-until-aborted';
export * from './thrown-text';
export * from './warn-once';
export * from './wildcard';
