// What resources and prompts share: their names, the text of clients as arguments, calls on behalf
// of the caller, and errors in the words of the protocol.
export { callContextOf } from './call-context';
export { offerErrorOf } from './offer-error';
export { assertSize } from './offer-size';
export { descriptionIn, offerNameOf, toolOptionsOf } from './offer-name';
export { argumentsOf } from './text-arguments';
