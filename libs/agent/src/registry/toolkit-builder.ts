import type { Tool } from '../tool';

/** Reads instances and tools registered at run time as discovery reads Nest's providers. */
export interface ToolkitBuilder {
  /**
   * The tools of a decorated instance.
   *
   * @throws ToolDeclarationError if the class has no tool or a wrong declaration
   */
  build(instance: object): readonly Tool[];
  /**
   * Creates a tool from a function, with the module's presets.
   *
   * @throws ToolDeclarationError for a preset of an unknown argument
   */
  complete(tool: Tool): Tool;
}

/** A `ToolkitBuilder`, without which run-time tools have no presets and `registerToolkit` fails. */
export const TOOLKIT_BUILDER = Symbol('nestjs-agent:toolkit-builder');
