// Provider tools: a method's parameters planned at boot, bound and called.
export { withPresets } from './preset.tool';
export {
  type PresetFunction,
  type Presets,
  type PresetValue,
  type ValidationOptions,
} from './provider-options.interface';
export { CONTEXT_INSTANCES, PRESETS, VALIDATION_OPTIONS } from './provider.constants';
export { ProviderInvoker } from './provider.invoker';
export { describedAs, nameOf, outputOf, settingsOf } from './tool-description';
