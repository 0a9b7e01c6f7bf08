// The agent's endpoints: controllers, the encoders of each protocol, and the caller's principal.
export { askedAgentGuards } from './asked-agent-guards';
export { defaultPrincipal } from './caller';
export * from './create-agent-controllers';
export { EndpointSetup } from './endpoint-setup';
export { HealthReport } from './health-report';
export * from './http.providers';
export * from './options';
export { BodyParsing } from './body';
export { decorateController } from './decorate-controller';
export { type OfferedEntry, type OfferSource, WorkbenchOffers } from './workbench';
