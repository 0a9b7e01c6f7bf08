export { askedAgentGuards } from './asked-agent-guards';
export { defaultPrincipal, CallerResolver } from './caller';
export * from './create-agent-controllers';
export { HealthReport } from './health-report';
export * from './http.providers';
export * from './options';
export { BodyParsing } from './parsers';
export { passOnMetadata } from './pass-on-metadata';
export { RunResponder } from './sse';
