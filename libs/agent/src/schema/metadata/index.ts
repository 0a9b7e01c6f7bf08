// Readers of a class's metadata: that of class-validator, class-transformer, swagger, this library
// and its compiler plugin. No schema is built here.
export { type AnyClass, type AnyMethod, isClass, ownerOf, prototypesOf } from './class-type';
export {
  excludesSome,
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
  defaultMessageOf,
} from './class-validator.metadata';
export {
  type ApiProperty,
  apiPropertiesOf,
  apiSuccessOf,
  apiConsumesOf,
  apiHeadersOf,
  apiModelsOf,
  apiOperationOf,
  type ApiParameter,
  apiParametersOf,
} from './swagger.metadata';
export { initialValuesOf, asJson } from './initial-values';
export {
  pluginClassOf,
  pluginMethodOf,
  type PluginParameter,
  pluginPropertiesOf,
  type PluginProperty,
  type TypeTemplate,
} from './plugin.metadata';
export { loadPluginMetadata, type PluginMetadata } from './plugin-metadata.loader';
export { type ToolFieldOptions, toolFieldsOf, addToolField } from './tool-field.metadata';
export { toolReturnOf, setToolReturn, type ToolReturnOptions } from './tool-return.metadata';
