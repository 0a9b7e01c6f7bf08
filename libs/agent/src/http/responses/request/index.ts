// Reads a request of the Responses protocol: its task, conversation, tools and settings.
export {
  blocksOfTask,
  type ConversationPointer,
  type ResponseRequest,
  responseRequestOf,
} from './response-request';
