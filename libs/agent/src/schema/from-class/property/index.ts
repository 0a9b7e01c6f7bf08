// One property's schema: its rules, its type, its OpenAPI metadata, its `@Transform`.
export { apiAnnotations, apiSchema, apiSourceOf, apiType } from './api-schema';
export { isDecorated, isRequired, propertySchema } from './property-schema';
export { ruleSchema } from './rule-schema';
export type { Discriminator, TypeSchemas } from './type-schemas.interface';
