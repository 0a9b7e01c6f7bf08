// Tool calls in a model's text, for models that have no calls of their own.
export { react } from './react';
