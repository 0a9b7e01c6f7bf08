// Tool calls in a model's text, for models without native calls.
export { react } from './react';
