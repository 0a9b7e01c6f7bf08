/**
 * For controllers of your own modules that serve requests like the agent's: after all guards and before
 * interceptors, with their own body limit, for the caller, and with runs streamed in a custom protocol.
 *
 * @module nestjs-agent/endpoints
 */
export { readBody, readJsonBody } from '../http/body';
export { CallerResolver, type Caller } from '../http/caller';
export {
  Endpoint,
  type EndpointDecorator,
  type EndpointOptions,
  type Exchange,
} from '../http/endpoint';
export type { Failure } from '../http/errors';
export { BodyParsing } from '../http/body';
export {
  isShownFlat,
  RunResponder,
  type RelayedRun,
  type RunEncoder,
  type StreamProtocol,
} from '../http/sse';
export type { TakenResponse } from '../http/wire';
