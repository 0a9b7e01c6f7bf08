import { defined } from '../../internal';
import type { MarkedTool, MarkedToolsOf } from '../../invocation';
import { resolveRef } from '../../schema';
import { type JsonSchema, ToolDeclarationError } from '../../tool';
import { MCP_PROMPT, type McpPromptOptions } from '../decorators';
import { descriptionIn, offerNameOf, toolOptionsOf } from '../offers';

/** An argument of a prompt, as in lists. */
interface McpPromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt, as in lists. */
export interface McpPromptEntry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly McpPromptArgument[];
}

/** A prompt with the tool that makes its messages. */
export interface DeclaredPrompt {
  readonly entry: McpPromptEntry;
  readonly marked: MarkedTool<McpPromptOptions>;
}

/** How methods with `@McpPrompt` become prompts. */
export const DECLARED_PROMPTS: MarkedToolsOf<McpPromptOptions, DeclaredPrompt> = {
  key: MCP_PROMPT,
  noun: 'prompts',
  optionsOf(mark, method) {
    if (method.kind === 'route') {
      throw new ToolDeclarationError(
        `${method.source}: a prompt is a method of a provider, not of a controller. Move it to a provider.`,
      );
    }
    return toolOptionsOf('prompt', mark, method);
  },
  make(marked) {
    const { mark, method, tool } = marked;
    const listed = argumentsIn(tool.definition.input_schema);
    const entry = defined({
      name: offerNameOf(mark, method),
      title: mark.title,
      description: descriptionIn(mark, method),
      arguments: listed.length > 0 ? listed : undefined,
    });
    return { entry, marked };
  },
};

function argumentsIn(schema: JsonSchema): readonly McpPromptArgument[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) => {
    const { title, description } = resolveRef(property, schema);
    return defined({ name, title, description, required: required.includes(name) });
  });
}
