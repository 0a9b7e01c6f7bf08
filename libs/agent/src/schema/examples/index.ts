// Example values of a schema, for tool descriptions and documentation.
export { exampleOf } from './example-of';
