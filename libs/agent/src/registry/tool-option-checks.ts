// Loaded with the first tool, since the checks load valibot.
import {
  aFunction,
  anything,
  anyText,
  count,
  flag,
  listOf,
  notNegative,
  oneOf,
  optionsOf,
  permission,
  positive,
  retryOptions,
  type OptionCheck,
  type OptionChecks,
} from '../checks';
import type { ToolkitOptions, ToolOptions } from '../tool';
import type { FunctionToolOptions, RuntimeToolkit } from './runtime-tools';

const COMMON: OptionChecks<FunctionToolOptions> = {
  group: anyText,
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  permission,
  visible: aFunction,
  timeoutMs: positive,
  retry: retryOptions,
  cacheTtlMs: notNegative,
  maxResultChars: count,
  concurrencySafe: flag,
  examples: listOf(anything),
};

const TOOLKIT: OptionChecks<Omit<ToolkitOptions, 'context'>> = {
  description: anyText,
  prefix: anyText,
  group: anyText,
  instructions: anyText,
};

// Empty texts, schemas and methods have checks of their own, which know the tool.
export const CHECKS = {
  tool: optionsOf<ToolOptions>({
    name: anyText,
    description: anyText,
    title: anything,
    ...COMMON,
    offer: oneOf('always', 'guarded'),
    method: anything,
    input: anything,
    output: anything,
  }),
  runtimeTool: optionsOf<FunctionToolOptions>(COMMON),
  toolkit: optionsOf<ToolkitOptions>({ ...TOOLKIT, context: listOf(anything) }),
  runtimeToolkit: optionsOf<RuntimeToolkit>({
    name: anyText,
    ...TOOLKIT,
    tools: listOf(anything),
  }),
} satisfies Record<string, OptionCheck>;

export { problemsOf } from '../checks';
