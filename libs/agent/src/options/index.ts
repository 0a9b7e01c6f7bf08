// The types of AgentModule's options. Wiring only: no layer imports from here.
export type { AgentOptions } from './agent-options';
export type { InstanceOrClass } from './instance-or-class';
export { InvalidOptionsError } from '../tool';
export type { LimitOptions } from './limit-options';
export type {
  AgentModuleAsyncOptions,
  AgentModuleOptions,
  AgentModuleStaticOptions,
  AgentOptionsFactory,
} from './module-options';
export type {
  AgentFeatureOptions,
  AgentFeatureOptionsFactory,
  AgentFeatureStaticOptions,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
} from './feature-options';
export type { SessionOptions } from './session-options';
