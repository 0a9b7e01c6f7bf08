import { resultText, type ContentBlock, type Message } from '../../message';
import type { ToolDefinition } from '../../tool';
import type { ModelRequest, ToolChoice } from '../chat-model';

/** A request for a model without native calls: tools and their use become text. */
export function toReactRequest(request: ModelRequest): ModelRequest {
  const { tools, toolChoice, messages } = request;
  const isOffered = tools.length > 0 && toolChoice !== 'none';
  const protocol = isOffered ? protocolText(tools, toolChoice) : '';
  const system = [request.system ?? '', protocol].filter((text) => text !== '').join('\n\n');
  return {
    ...request,
    toolChoice: 'auto',
    ...(system === '' ? {} : { system }),
    tools: [],
    messages: toReactMessages(messages),
    ...(isOffered ? { stop: [...(request.stop ?? []), '<observation'] } : {}),
  };
}

/**
 * A history in which calls and results are text. Only results are between `<observation>` tags: a
 * backslash is added to such a tag in a text of the user or of a tool.
 */
export function toReactMessages(messages: readonly Message[]): readonly Message[] {
  const names = new Map<string, string>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name);
  }
  return messages
    .map((message): Message => ({
      ...message,
      content: message.content.flatMap((block) =>
        block.type === 'text' && message.role === 'user'
          ? [{ ...block, text: withoutObservations(block.text) }]
          : toText(block, names),
      ),
    }))
    .filter(({ content }) => content.length > 0);
}

function toText(block: ContentBlock, names: ReadonlyMap<string, string>): readonly ContentBlock[] {
  switch (block.type) {
    case 'tool_use': {
      const call = JSON.stringify({ name: block.name, arguments: block.input });
      return [{ type: 'text', text: `<tool_call>${call}</tool_call>` }];
    }
    case 'tool_result': {
      // As JSON, since a foreign name may contain quotes.
      const tool = JSON.stringify(names.get(block.tool_use_id) ?? 'tool');
      const failed = block.is_error ? ' failed="true"' : '';
      const result = withoutObservations(resultText(block.content));
      const text = `<observation tool=${tool}${failed}>\n${result}\n</observation>\n`;
      const media =
        typeof block.content === 'string'
          ? []
          : block.content.filter(({ type }) => type !== 'text');
      return [{ type: 'text', text }, ...media];
    }
    case 'reasoning':
      return [];
    default:
      return [block];
  }
}

function withoutObservations(text: string): string {
  return text.replace(/<(?=\\*\/?observation)/gi, '<\\');
}

function protocolText(tools: readonly ToolDefinition[], choice: ToolChoice | undefined): string {
  const list = tools
    .map(
      ({ name, description, input_schema }) =>
        `- ${name}: ${description}\n  arguments: ${JSON.stringify(input_schema)}`,
    )
    .join('\n');
  const demand =
    choice === 'required'
      ? '\nYou must use a tool now.'
      : typeof choice === 'object'
        ? `\nYou must use the tool ${choice.name} now.`
        : '';
  return `You can use these tools:
${list}

Think first if you need to: <think>your thoughts</think>
To use a tool, write exactly this, with JSON inside, and then stop:
<tool_call>{"name": "the tool", "arguments": {}}</tool_call>
You may write several, one after the other. What they give comes back in <observation> tags; never write those yourself.
When you know the answer, write it: <answer>your answer</answer>
If the user has to tell you more first, ask: <ask>your question</ask>${demand}`;
}
