// The parsers that run before the routes, with the agent's limits, independent of the application's
// own parser.
export { BodyParsing } from './body-parsing';
