// Calls that are refused or fail: their errors, and the words that the model reads.
export * from './call-errors';
export * from './call-outcome';
export * from './error-body';
export * from './failure';
export * from './refusals';
