export { apiSourceOf } from './api-schema';
export type { AnyMethod } from './class-type';
export { acceptsNull, typesOf, withNote } from './combine';
export { exampleOf } from './example-of';
export { pointer } from './json-pointer';
export { mapSchemas } from './map-schemas';
export { mergeObjectSchema, type ParameterSchema } from './merge-object-schema';
export {
  apiConsumesOf,
  apiHeadersOf,
  apiOperationOf,
  type ApiParameter,
  apiParametersOf,
} from './metadata/swagger.metadata';
export { addToolField, type ToolFieldOptions } from './metadata/tool-field.metadata';
export { setToolReturn, type ToolReturnOptions } from './metadata/tool-return.metadata';
export { declaresResult, describeMethodResult, returnedKindOf } from './method-result';
export { omitNulls } from './omit-nulls';
export { parseArguments } from './parse-arguments';
export { type PipeSchema, pipeSchemaOf } from './pipe-schema';
export { resolveRef } from './resolve-ref';
export { enumSchema, enumValues } from './rules';
export { formProblems } from './schema-form';
export { outputSchemaOf, schemaOf } from './schema-of';
export {
  isSchemaSource,
  isSchemaType,
  type SchemaOptions,
  type SchemaSource,
  type SchemaType,
} from './schema-source';
export { SchemaValidator } from './schema-validator';
export { hasSensitive, MASK, masked, unmasked } from './sensitive';
export {
  isStandardSchema,
  standardSchemaOf,
  type StandardIssue,
  type StandardResult,
  type StandardSchemaV1,
} from './standard-schema';
export { toInstance } from './to-instance';
