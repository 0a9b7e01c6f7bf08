import type { Tool } from '../tool';

/** Reads the tools of a decorated instance; discovery does the same for Nest's providers. */
export interface ToolkitBuilder {
  /** @throws ToolDeclarationError where the class has no tool or declares one wrongly */
  build(instance: object): readonly Tool[];
}
