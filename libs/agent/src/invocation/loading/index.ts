// The tools of the declarations that discovery found at boot: each declaration becomes a Tool here.
export { ProviderToolkitBuilder } from './provider-toolkit.builder';
export { ToolLoader } from './tool.loader';
export { MarkedTools, type MarkedTool, type MarkedToolsOf } from './marked.tools';
export { ToolBuilder } from './tool.builder';
