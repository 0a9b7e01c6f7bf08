// Texts: JSON, hashes, patterns, names, and printable text for the log.
export * from './canonical-json';
export * from './capitalised';
export * from './edit-distance';
export * from './json-in';
export * from './printable';
export * from './short-hash';
export * from './shortened';
export * from './thrown-text';
export * from './wildcard';
