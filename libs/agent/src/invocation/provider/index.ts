// Provider tools: a method's parameters planned at boot, bound and called.
export { PresetRules } from './preset-rules';
export type {
  Presets,
  ValidationOptions,
  PresetFunction,
  PresetValue,
} from './provider-options.interface';
export { CONTEXT_INSTANCES, VALIDATION_OPTIONS, ProviderInvoker } from './provider.invoker';
export { describedAs, nameOf, outlineOf } from './tool-description';
