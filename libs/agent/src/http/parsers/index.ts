// The parsers that the framework calls before the routes: the agent's limits, whichever the
// application's own parser has.
export { BodyParsing } from './body-parsing';
