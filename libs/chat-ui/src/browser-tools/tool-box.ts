import type { BrowserTool, BrowserToolContext } from '../../public/agent-chat.mjs';
import type { BrowserOutcome, JsonObject, JsonValue, ToolDefinition } from '../wire';

const NAME = /^[a-zA-Z0-9_]{1,64}$/;

/** The tools that this page offers. */
export class ToolBox {
  private readonly tools = new Map<string, BrowserTool>();

  /**
   * @returns a function that takes the tool away again
   * @throws TypeError where the name does not fit, is taken, or `run` is missing
   */
  register<Input extends object>(tool: BrowserTool<Input>): () => void {
    const { name, description, run } = tool;
    if (!NAME.test(name)) {
      throw new TypeError(`"${name}" is no tool name: 1 to 64 letters, digits or underscores.`);
    }
    if (this.tools.has(name)) {
      throw new TypeError(`A tool "${name}" is registered already; take that one away first.`);
    }
    if (typeof description !== 'string' || typeof run !== 'function') {
      throw new TypeError(`The tool "${name}" needs a description and a function "run".`);
    }
    // The model's arguments are checked against the tool's own schema before they come here.
    const own = tool as unknown as BrowserTool;
    this.tools.set(name, own);
    return () => {
      if (this.tools.get(name) === own) this.tools.delete(name);
    };
  }

  has(name: string): boolean {
    return this.tools.has(name);
  }

  definitions(): readonly ToolDefinition[] {
    return [...this.tools.values()].map(({ name, description, input_schema }) => ({
      name,
      description,
      input_schema,
    }));
  }

  /** Never rejects: an error is an outcome too. */
  async run(name: string, input: JsonObject, context: BrowserToolContext): Promise<BrowserOutcome> {
    const tool = this.tools.get(name);
    if (tool === undefined) return { error: `This page has no tool "${name}".` };
    try {
      const value = await tool.run(input, context);
      const text = JSON.stringify(value) as string | undefined;
      return { result: text === undefined ? 'Done.' : (JSON.parse(text) as JsonValue) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { error: message || 'The tool failed.' };
    }
  }
}
