export { defaultPrincipal, CallerResolver } from './caller';
export * from './create-agent-controllers';
export * from './http.providers';
export * from './options';
export { BodyParsing } from './parsers';
export { RunResponder } from './sse';
