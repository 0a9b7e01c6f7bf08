export { BodyParsing } from './body-parsing';
export * from './create-agent-controllers';
export * from './http-options.interface';
export * from './http.constants';
export * from './http.providers';
export { defaultPrincipal, UnknownPrincipalError, type PrincipalOf } from './caller';
export { AgentErrorFilter } from './errors';
export type { Health } from './controllers';
