// Conversations as adapters need them: well-formed text, results as text, sources of media, and
// notices of media that are not kept.
export * from './media-source';
export * from './textual-result';
export * from './well-formed';
