/** A `ToolkitBuilder`, without which run-time tools have no presets and `registerToolkit` fails. */
export const TOOLKIT_BUILDER = Symbol('nestjs-agent:toolkit-builder');

/** The module's `groups` option: the tool groups there are from the start. */
export const TOOL_GROUPS = Symbol('nestjs-agent:tool-groups');
