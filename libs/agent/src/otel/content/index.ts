// Text of the conversation in spans and their events: captured, redacted, and shortened.
export { Content } from './content';
