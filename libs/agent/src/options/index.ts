// The options of AgentModule.forRoot, and their check at boot. Wiring only: no layer imports from
// here.
export {
  type AgentModuleAsyncOptions,
  type AgentModuleOptions,
  type AgentModuleStaticOptions,
  type AgentOptions,
  type InstanceOrClass,
  type LimitOptions,
  type SessionOptions,
  type ToolDefaultOptions,
} from './agent-options';
export { checkAsyncOptions, checkFactoryOptions, checkModuleOptions } from './check-options';
export { InvalidOptionsError } from './invalid-options.error';
