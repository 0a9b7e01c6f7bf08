// Readers of a class's metadata: that of class-validator, class-transformer, swagger and this
// library. No schema is built here.
export { type AnyClass, isClass, type AnyMethod } from './class-type';
export {
  namedType,
  transformRulesOf,
  transformedProperties,
  transformReaderOf,
  type TransformRules,
} from './class-transformer.metadata';
export {
  type ValidationRule,
  targetMetadatasOf,
  validationRulesOf,
  constraintNameOf,
} from './class-validator.metadata';
export {
  type ApiProperty,
  apiPropertiesOf,
  apiSuccessOf,
  apiConsumesOf,
  apiHeadersOf,
  apiOperationOf,
  type ApiParameter,
  apiParametersOf,
} from './swagger.metadata';
export { initialValuesOf, asJson } from './initial-values';
export { type ToolFieldOptions, toolFieldsOf, addToolField } from './tool-field.metadata';
export { toolReturnOf, setToolReturn, type ToolReturnOptions } from './tool-return.metadata';
