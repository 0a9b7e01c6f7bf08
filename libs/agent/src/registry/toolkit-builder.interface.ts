import type { Tool } from '../tool';

/** Reads instances and tools registered at run time as discovery reads Nest's providers. */
export interface ToolkitBuilder {
  /**
   * The tools of a decorated instance.
   *
   * @throws ToolDeclarationError where the class has no tool or declares one wrongly
   */
  build(instance: object): readonly Tool[];
  /**
   * A tool of a function, with the module's presets for it.
   *
   * @throws ToolDeclarationError where a preset names no argument of the tool
   */
  complete(tool: Tool): Tool;
}
