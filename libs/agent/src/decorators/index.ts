export { descriptionOf } from './description';
export {
  methodOf,
  toolkitMetadataOf,
  toolMetadataOf,
  toolMethodsOf,
  type ToolParamMetadata,
  type ToolParamOptions,
  toolParamsOf,
  type ToolPipe,
} from './metadata';
export {
  describeMethodInput,
  type HiddenParameter,
  type MethodInput,
  type MethodInputOptions,
} from './method-input';
export { parameterNamesOf } from './parameter-names';
export { parameterSchemaOf, type ParameterFacts } from './parameter-schema';
export { pipeSchemaOf, type PipeSchema } from './pipe-schema';
export { ToolField } from './tool-field.decorator';
export { ToolParam } from './tool-param.decorator';
export { ToolReturn } from './tool-return.decorator';
export { Tool } from './tool.decorator';
export { Toolkit } from './toolkit.decorator';
