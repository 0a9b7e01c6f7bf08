export { BodyParsing } from './body/body-parsing';
export * from './create-agent-controllers';
export * from './http-options.interface';
export * from './http.constants';
export * from './http.providers';
export { defaultPrincipal, UnknownPrincipalError, type PrincipalOf } from './caller/principal';
export { AgentErrorFilter } from './errors/agent-error.filter';
export type { Health } from './controllers/health.controller';
