// The turns of the conversation: the user's messages and their editing, the agent's answers with
// their tool calls and approvals. Contents come from `content`; nothing in here knows the frame.
export { TurnView } from './turn';
