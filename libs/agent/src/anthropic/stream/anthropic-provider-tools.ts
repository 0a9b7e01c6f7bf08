import {
  isJsonObject,
  type ContentBlock,
  type JsonValue,
  type Message,
  type ProviderToolBlock,
} from '../../message';
import type { ModelEvent } from '../../model';
import { textIn } from '../../model/stream';
import { kindOfBlock, type BlockKind, type WholeBlock } from './anthropic-block';
import { isWholeBlock, ownData, providerData } from './anthropic-provider-data';

type ProviderToolEvent = Extract<ModelEvent, { type: 'provider_tool' }>;

/**
 * The tools that the provider ran. Calls may be nested and results come in any order, so blocks
 * that belong together wait for each other, and are sent back unchanged.
 */
export class ProviderTools {
  private blocks: WholeBlock[] = [];
  private readonly open = new Set<string>();

  /** Takes a whole block; returns the calls that it completes. */
  add(block: WholeBlock): readonly ProviderToolEvent[] {
    this.blocks.push(block);
    if (kindOfBlock(block.type) === 'provider_use') this.open.add(textIn(block['id']));
    else this.open.delete(textIn(block['tool_use_id']));
    return this.open.size === 0 ? this.flush() : [];
  }

  /** Returns all blocks so far: a result may also come with the next answer. */
  flush(): readonly ProviderToolEvent[] {
    const { blocks } = this;
    this.blocks = [];
    this.open.clear();
    const calls = new Map<string, WholeBlock[]>();
    for (const block of blocks) {
      const id = textIn(block['id'] ?? block['tool_use_id']);
      calls.set(id, [...(calls.get(id) ?? []), block]);
    }
    // The first has the blocks of all, in the order in which they came.
    return [...calls].map(([id, own], index) => ({
      ...eventOf(id, own),
      ...(index === 0 && { providerData: providerData({ blocks }) }),
    }));
  }
}

function eventOf(id: string, blocks: readonly WholeBlock[]): ProviderToolEvent {
  const use = blocks.find(({ type }) => kindOfBlock(type) === 'provider_use');
  const result = blocks.find(({ type }) => kindOfBlock(type) === 'provider_result');
  const input = use?.['input'];
  const output = result?.['content'];
  const name = textIn(use?.['name']) || (result?.type.replace(/_tool_result$/, '') ?? '');
  return {
    type: 'provider_tool',
    id,
    name: name === '' ? 'unnamed_tool' : name,
    ...(isJsonObject(input) && { input }),
    ...(output !== undefined && { output: readable(output) }),
  };
}

/** Without the parts that only the provider can read. */
function readable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(readable);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] =>
    key.startsWith('encrypted_') ? [] : [[key, readable(inner)]],
  );
  return Object.fromEntries(entries);
}

/**
 * The blocks of the provider's tools to send back with each message: the API rejects a call without
 * a result, and a result without its call. A call may still be open if the last answer waits for
 * results from this side.
 */
export function pairedTools(
  messages: readonly Message[],
): (block: ProviderToolBlock, message: Message) => readonly WholeBlock[] {
  const all = messages.flatMap(({ content }) => content.flatMap(wholeBlocks));
  const ids = (kind: BlockKind, key: string) =>
    new Set(all.flatMap((block) => (kindOfBlock(block.type) === kind ? [block[key]] : [])));
  const asked = ids('provider_use', 'id');
  const answered = ids('provider_result', 'tool_use_id');
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const isOpen = messages.slice(last + 1).some(hasResults);
  const waiting = isOpen ? messages[last] : undefined;
  return (block, message) =>
    wholeBlocks(block).filter((whole) =>
      kindOfBlock(whole.type) === 'provider_use'
        ? message === waiting || answered.has(whole['id'])
        : asked.has(whole['tool_use_id']),
    );
}

function wholeBlocks(block: ContentBlock): readonly WholeBlock[] {
  if (block.type !== 'provider_tool') return [];
  const blocks = ownData(block.providerData)?.['blocks'];
  return Array.isArray(blocks) ? blocks.filter(isWholeBlock) : [];
}

/** Whether a message contains results of the application's tools. */
export function hasResults({ content }: Message): boolean {
  return content.some(({ type }) => type === 'tool_result');
}
