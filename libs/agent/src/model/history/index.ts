export * from './media-source';
export * from './textual-result';
export * from './well-formed';
