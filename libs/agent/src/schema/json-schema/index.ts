// JSON Schema as data: combining, walking, closing, resolving and reading schemas. Pure
// functions; no class, no validator.
export * from './close-objects';
export * from './combine';
export * from './direction';
export * from './ecma-pattern';
export * from './json-pointer';
export { fitsForm, TYPES } from './keyword-forms';
export { isSchema, mapSchemas, MEMBERS, someSchema } from './map-schemas';
export * from './merge-object-schema';
export * from './needless-keywords';
export * from './number-text';
export * from './older-drafts';
export * from './schema-form';
export * from './sensitive';
export * from './united';
