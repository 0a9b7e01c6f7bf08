// Shared by resources and prompts: names, clients' text as arguments, calls on behalf of the
// caller, and errors of the protocol.
export { callContextOf } from './call-context';
export { offerErrorOf } from './offer-error';
export { assertSize, type OfferParts } from './offer-size';
export { assertDistinct, descriptionIn, offerNameOf, toolOptionsOf } from './offer-name';
export { argumentsOf, propertyOf } from './text-arguments';
