export * from './media-source';
export * from './not-kept';
export * from './textual-result';
export * from './well-formed';
