import type { ContentBlock, Message, ToolResultBlock } from '../../../message';
import {
  type ConversationLimits,
  OpenAiRequestError,
  stringIn,
  toolUseOf,
  wrong,
} from '../../openai';
import { contentOf, textOf } from './response-content';
import type { InputItem } from './response-items';

/**
 * A conversation that the client stores, in the library's format. Its calls are never run. Every
 * call of the client's tools needs its output before the next message.
 *
 * @param instructions the first system message
 * @throws OpenAiRequestError naming the item
 */
export function messagesOf(
  items: readonly InputItem[],
  instructions: string | undefined,
  attachments: ConversationLimits['attachments'],
): readonly Message[] {
  const last = items.at(-1);
  if (last?.type === 'mcp_approval_response') {
    throw new OpenAiRequestError(
      `'${last.at}' answers an approval: send 'previous_response_id' or 'conversation' with it.`,
      last.at,
    );
  }
  const history = new ResponseHistory(attachments);
  if (instructions !== undefined) history.say('system', [{ type: 'text', text: instructions }]);
  for (const item of items) history.add(item);
  return history.done();
}

class ResponseHistory {
  private readonly messages: Message[] = [];
  /** The assistant's message that the items so far belong to, and its calls' results. */
  private blocks: ContentBlock[] = [];
  private results: ToolResultBlock[] = [];
  private readonly calls = new Set<string>();
  /** Calls without an output so far. */
  private readonly open = new Set<string>();

  constructor(private readonly attachments: ConversationLimits['attachments']) {}

  say(role: Message['role'], content: readonly ContentBlock[]): void {
    this.messages.push({ role, content });
  }

  add(item: InputItem): void {
    const { fields, at } = item;
    switch (item.type) {
      case 'message':
        this.addMessage(item);
        return;
      case 'function_call':
        this.addCall(stringIn(fields, 'call_id', at), item);
        return;
      case 'function_call_output':
        this.addOutput(item);
        return;
      case 'mcp_call':
        this.addSettledCall(item);
        return;
      case 'reasoning':
      case 'mcp_list_tools':
      case 'mcp_approval_request':
      case 'mcp_approval_response':
        // Reasoning only serves its provider, and the approvals of this list are long settled.
        return;
    }
  }

  done(): readonly Message[] {
    this.close('input');
    return this.messages;
  }

  private addMessage({ role = 'user', fields, at }: InputItem): void {
    const place = `${at}.content`;
    if (role === 'assistant') {
      this.next();
      this.blocks.push({ type: 'text', text: textOf(fields['content'], place) });
      return;
    }
    this.close(at);
    if (role === 'user') this.say(role, contentOf(fields['content'], place, this.attachments));
    else this.say('system', [{ type: 'text', text: textOf(fields['content'], place) }]);
  }

  private addCall(id: string, { fields, at }: InputItem): void {
    this.next();
    if (this.calls.has(id)) throw wrong(`${at}.call_id`, 'an id of its own');
    this.calls.add(id);
    this.open.add(id);
    const name = stringIn(fields, 'name', at);
    this.blocks.push(toolUseOf(id, name, stringIn(fields, 'arguments', at)));
  }

  private addOutput({ fields, at }: InputItem): void {
    const id = stringIn(fields, 'call_id', at);
    if (!this.open.delete(id)) {
      throw new OpenAiRequestError(
        `No tool call found for function call output with call_id ${id.slice(0, 100)} (${at}).`,
        `${at}.call_id`,
      );
    }
    const content = contentOf(fields['output'], `${at}.output`, this.attachments);
    this.results.push({ type: 'tool_result', tool_use_id: id, content, is_error: false });
  }

  private addSettledCall(item: InputItem): void {
    const { fields, at } = item;
    const id = stringIn(fields, 'id', at);
    this.addCall(id, item);
    this.open.delete(id);
    const { error, output } = fields;
    const isError = typeof error === 'string';
    const content = isError ? error : typeof output === 'string' ? output : '';
    this.results.push({ type: 'tool_result', tool_use_id: id, content, is_error: isError });
  }

  /** Begins another assistant's message if the last one's calls are answered. */
  private next(): void {
    if (this.results.length > 0 && this.open.size === 0) this.flush();
  }

  private close(at: string): void {
    if (this.open.size > 0) {
      const missing = [...this.open].join(', ');
      throw new OpenAiRequestError(`No tool output found for function call ${missing}.`, at);
    }
    this.flush();
  }

  private flush(): void {
    if (this.blocks.length > 0) this.say('assistant', this.blocks);
    if (this.results.length > 0) this.say('user', this.results);
    this.blocks = [];
    this.results = [];
  }
}
