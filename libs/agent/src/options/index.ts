// The options of AgentModule, as users write them. Wiring only: no layer imports from here.
export type {
  AgentModuleAsyncOptions,
  AgentModuleOptions,
  AgentModuleStaticOptions,
  AgentOptions,
  AgentOptionsFactory,
  InstanceOrClass,
  LimitOptions,
} from './agent-options';
export { InvalidOptionsError } from './invalid-options.error';
