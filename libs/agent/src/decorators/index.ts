// The decorators of tools, parameters and fields. They only store metadata.
export { descriptionOf } from './description';
export { hasWrittenTypes, NO_EMITTED_TYPES } from './emitted-types';
export {
  type CompletionContext,
  markedMethodsOf,
  marking,
  markOf,
  toolkitMetadataOf,
  toolMetadataOf,
  toolMethodsOf,
  type ToolParamMetadata,
  type ToolParamOptions,
  toolParamsOf,
  type ToolPipe,
} from './metadata';
export { describeMethodInput, type HiddenParameter, paramOptionsOf } from './method-input';
export { ToolField } from './tool-field.decorator';
export { ToolParam } from './tool-param.decorator';
export { ToolReturn } from './tool-return.decorator';
export { Tool } from './tool.decorator';
export { Toolkit } from './toolkit.decorator';
export * from './inject-agent.decorator';
