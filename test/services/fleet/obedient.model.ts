import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { textOf, type ChatModel, type ModelEvent, type ModelRequest } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { tell } from './deed';
import { Gate } from '../../support/processes/gate';

const WORD_MS = 15;
const PAGE_TOOL = 'page_title';
const TOOL = /look|unlock|write|remove|put|page_title/;

/** What "wait" waits for, in this process. */
export const gate = new Gate();

let tellStopped: () => void;
/** Resolves when this process stops an answer of the model. */
export const stopped = new Promise<void>((resolve) => (tellStopped = resolve));

/**
 * Does what the last message says: "say <number>", "wait" after the first word, "shout" into the log, and the name
 * of a tool.
 * Each word tells its step and its place in it.
 */
export class ObedientModel implements ChatModel {
  readonly name = 'obedient';
  readonly capabilities = { tools: true };
  private readonly logger = new Logger('Model');

  async *stream(
    { messages }: ModelRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<ModelEvent> {
    signal?.addEventListener('abort', tellStopped, { once: true });
    const said = messages.findLastIndex(
      ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'),
    );
    const [tag = '', orders = ''] = textOf(messages[said] ?? { content: [] }).split(': ');
    const step = messages.slice(said).filter(({ role }) => role === 'assistant').length;
    const order = orders.split('; ')[step] ?? 'end';
    tell({ kind: 'speaks', tag, step });
    this.logger.verbose(`${tag} ${step}`);
    if (order.includes('shout')) this.logger.error(tag);
    const words = Number(/say (\d+)/.exec(order)?.[1] ?? 1);
    for (let word = 0; word < words; word += 1) {
      yield { type: 'text.delta', delta: `${step}.${word} ` };
      if (word === 0 && order.includes('wait')) await gate.wait(signal);
      await delay(WORD_MS, undefined, { ...(signal && { signal }) });
    }
    const name = TOOL.exec(order)?.[0];
    const input: JsonObject = name === PAGE_TOOL ? {} : { tag, step: String(step) };
    if (name) yield { type: 'tool_use', id: '', name, input };
    yield { type: 'finish', reason: name ? 'tool_use' : 'end_turn' };
  }
}
