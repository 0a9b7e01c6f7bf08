// Body parsing for the agent's endpoints, their limits, and readers of fields that no DTO checks.
export { checkRest } from './attachment-room';
export { invalidRequest, jsonBodyOf, readBody, readJsonBody } from './json-body';
export { mustBe, nameAt, objectAt, objectsAt, stringAt, textAt } from './sent-fields';
export { BodyParsing } from './body-parsing';
