/**
 * What a controller of another module needs to answer as the agent's own do: behind all guards and
 * before interceptors, with its own body limit, for the caller, and with a run streamed in a protocol
 * of its own.
 *
 * @module nestjs-agent/endpoints
 */
export {
  BodyParsing,
  CallerResolver,
  Endpoint,
  readBody,
  readJsonBody,
  RunResponder,
  type Caller,
  type EndpointOptions,
  type Exchange,
  type Failure,
  type RunEncoder,
  type StreamProtocol,
  type TakenResponse,
} from '../http';
