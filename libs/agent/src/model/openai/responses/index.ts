// The Responses API: its request, its stream, its errors.
export { ResponsesProtocol } from './responses.protocol';
