// One property's schema: its rules, its type, its OpenAPI metadata, its `@Transform`.
export { apiSchema, apiSourceOf, apiType, type Discriminator } from './api-schema';
export { isDecorated, isRequired, propertySchema } from './property-schema';
export { ruleSchema } from './rule-schema';
export type { TypeSchemas } from './type-schemas.interface';
