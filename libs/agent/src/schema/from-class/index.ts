// Classes, properties, pipes and methods to JSON Schema. The entry points are schemaOf,
// outputSchemaOf and describeMethodResult.
export { apiSourceOf, apiType, isDecorated, ruleSchema } from './property';
export { convertedType, converts, DescribedType, sourceOfTemplate } from './described-type';
export { propertiesOf, type PropertyFacts } from './class-properties';
export { builtinSchema } from './type-schema';
export {
  isSchemaType,
  isSchemaSource,
  type SchemaOptions,
  type SchemaSource,
  type SchemaType,
} from './schema-source';
export {
  type StandardSchemaV1,
  standardSchemaOf,
  isStandardSchema,
  offersJsonSchema,
  type StandardIssue,
  type StandardResult,
  takesMissing,
  type ZodInternals,
  type ZodSchema,
} from './standard-schema';
export {
  declaresResult,
  describeMethodResult,
  documentationProblem,
  returnedKindOf,
} from './method-result';
export { type PipeSchema, pipeSchemaOf, pipeSourceOf } from './pipe-schema';
export { apiExamples, documentSchemaOf } from './document-schema';
export { apiSchemaOf, outputSchemaOf, schemaInGroups, schemaOf } from './schema-of';
export { fittingDefault } from './taken-default';
