// Conversations as adapters need them: well-formed text, results as text, where media comes from, and
// what a provider does not keep.
export * from './media-source';
export * from './not-kept';
export * from './textual-result';
export * from './well-formed';
