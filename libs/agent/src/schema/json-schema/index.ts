// JSON Schema as data: combining, walking, closing, resolving and reading schemas. Pure
// functions; no class, no validator.
export { pointer } from './json-pointer';
export {
  ANNOTATIONS,
  typesOf,
  acceptsNull,
  combine,
  nullable,
  NOTHING,
  only,
  without,
  withNote,
  hasKeywords,
  sameJson,
} from './combine';
export { composed, united } from './united';
export { isSchema, mapSchemas, MEMBERS, someSchema } from './map-schemas';
export { unicodePattern, patternOf } from './ecma-pattern';
export { withSafeBounds, withoutSafeBounds } from './safe-integers';
export { withoutLongPatterns } from './long-patterns';
export { resolveRef, follow } from './resolve-ref';
export {
  numberInWords,
  NUMBER_TEXT,
  FLOAT_TEXT,
  INTEGER_TEXT,
  DECIMAL_STRING,
  DIGITS,
  LATITUDE_TEXT,
  LONGITUDE_TEXT,
  LOCAL_NUMBER_STRING,
  NUMBER_STRING,
} from './number-text';
export { type Direction } from './direction';
export { fitsForm, TYPES } from './keyword-forms';
export { closeObjects } from './close-objects';
export { newestDraftOf } from './older-drafts';
export { formProblems } from './schema-form';
export { mergeObjectSchema, type ParameterSchema, withRootDefined } from './merge-object-schema';
export { hasSensitive, MASK, masked, unmasked } from './sensitive';
