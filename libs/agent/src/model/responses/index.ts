// OpenAI's Responses API, one of the two that openai() speaks; the connection is model/openai's.
export { ResponsesProtocol } from './responses.protocol';
