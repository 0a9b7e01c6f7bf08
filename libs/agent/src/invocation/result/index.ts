// A tool's return value as content blocks within limits.
export { ownCopyOf, frozenCopyOf } from './json-value';
export { contentOf, MAX_RESPONSE_BYTES, type RouteContent } from './route-content';
export { ResultConverter } from './result.converter';
export { resultContentOf } from './result-content';
