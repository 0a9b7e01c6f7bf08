/**
 * What a controller of another module needs to answer as the agent's own do: behind all guards and
 * before interceptors, with its own body limit, for the caller, and with a run streamed in a protocol
 * of its own.
 *
 * @module nestjs-agent/endpoints
 */
export { readBody, readJsonBody } from '../http/body';
export { CallerResolver, type Caller } from '../http/caller';
export { Endpoint, type EndpointOptions, type Exchange } from '../http/endpoint';
export type { Failure } from '../http/errors';
export { BodyParsing } from '../http/parsers';
export { RunResponder, type RunEncoder, type StreamProtocol } from '../http/sse';
export type { TakenResponse } from '../http/wire';
