export { readBody, readJsonBody } from './body';
export { BodyParsing } from './body-parsing';
export * from './create-agent-controllers';
export * from './http-options.interface';
export * from './http.constants';
export * from './http.providers';
export {
  CallerResolver,
  type Caller,
  defaultPrincipal,
  UnknownPrincipalError,
  type PrincipalOf,
} from './caller';
export { Endpoint, type EndpointDecorator, type EndpointOptions, type Exchange } from './endpoint';
export { AgentErrorFilter, type Failure } from './errors';
export type { Health } from './controllers';
export { RunResponder, type StreamProtocol } from './run.responder';
export type { RunEncoder } from './sse';
export type { TakenResponse } from './wire';
