import { isJsonObject, jsonObjectIn, type JsonObject, type JsonValue } from '../../message';
import { textIn } from '../../model/stream';
import type { AnthropicBlock, AnthropicEvent } from './anthropic-event';

/** A block of an answer as the provider would have sent it whole. */
export type WholeBlock = JsonObject & { readonly type: string };

/** The role of a block in the conversation. */
export type BlockKind = 'text' | 'thought' | 'call' | 'provider_use' | 'provider_result' | 'other';

/**
 * Calls of the provider's own tools have many types; calls of the application's tools have one.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
export function kindOfBlock(type: string | undefined): BlockKind {
  if (type === 'text') return 'text';
  if (type === 'thinking' || type === 'redacted_thinking') return 'thought';
  if (type === 'tool_use') return 'call';
  if (type?.endsWith('_tool_use') === true) return 'provider_use';
  return type?.endsWith('_tool_result') === true ? 'provider_result' : 'other';
}

/** The kinds of blocks that a piece may belong to. */
const KINDS_OF_PIECES = new Map<string | undefined, readonly BlockKind[]>([
  ['text_delta', ['text']],
  ['citations_delta', ['text']],
  ['thinking_delta', ['thought']],
  ['signature_delta', ['thought']],
  ['input_json_delta', ['call', 'provider_use']],
]);

/**
 * The block that a piece belongs to. Some services, at times Anthropic itself, number pieces otherwise
 * than blocks: those belong to the block that is open.
 */
export function blockOf(
  blocks: readonly OpenBlock[],
  index: number | undefined,
  type: string | undefined,
): OpenBlock | undefined {
  const last = blocks.at(-1);
  if (index === undefined || last?.index === index) return last;
  const numbered = blocks.findLast((block) => block.index === index);
  const takes = (block: OpenBlock | undefined) =>
    block?.isStopped === false && KINDS_OF_PIECES.get(type)?.includes(block.kind) === true;
  return takes(last) && !takes(numbered) ? last : numbered;
}

/** A block that is still streaming; it is sent back to the provider unchanged. */
export class OpenBlock {
  /** Whether its end was passed on: at its own end, or where the next block begins. */
  isClosed = false;
  /** Whether the provider has reported its end. */
  isStopped = false;
  readonly kind: BlockKind;
  private readonly block: { [key: string]: JsonValue; type: string };
  private input = '';

  constructor(
    readonly index: number | undefined,
    begun: AnthropicBlock & { readonly type: string },
  ) {
    this.block = { ...(begun as unknown as JsonObject), type: begun.type };
    // The API does not take it back without a value.
    if (this.block['encrypted_content'] === null) delete this.block['encrypted_content'];
    this.kind = kindOfBlock(begun.type);
  }

  /** Whether it is a text or a thought of which nothing came so far. */
  get isEmpty(): boolean {
    const { type, text, thinking, signature } = this.block;
    if (type === 'text') return textIn(text) === '';
    return type === 'thinking' && textIn(thinking) + textIn(signature) === '';
  }

  add({ type, text, thinking, signature, partial_json, citation, ...summary }: Delta): void {
    switch (type) {
      case 'text_delta':
        this.append('text', text);
        break;
      case 'thinking_delta':
        this.append('thinking', thinking);
        break;
      case 'signature_delta':
        this.block['signature'] = textIn(signature);
        break;
      case 'compaction_delta':
        this.append('content', summary.content);
        this.append('encrypted_content', summary.encrypted_content);
        break;
      case 'input_json_delta':
        this.input += textIn(partial_json);
        break;
      case 'citations_delta': {
        const cited = this.block['citations'];
        const citations = Array.isArray(cited) ? (cited as readonly JsonValue[]) : [];
        if (isJsonObject(citation)) this.block['citations'] = [...citations, citation];
        break;
      }
      case undefined:
      default:
        break;
    }
  }

  whole(): WholeBlock {
    if (this.input !== '') {
      // Arguments that were cut off count as none.
      this.block['input'] = jsonObjectIn(this.input) ?? {};
      this.input = '';
    }
    return this.block;
  }

  private append(field: string, piece: unknown): void {
    if (typeof piece === 'string') this.block[field] = textIn(this.block[field]) + piece;
  }
}

type Delta = NonNullable<AnthropicEvent['delta']>;
