import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { textOf, type ChatModel, type ModelEvent, type ModelRequest } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { Gate } from '../../support/processes/gate';
import { tell } from './deed';
import { ordersIn } from './orders';

const WORD_MS = 15;
const PAGE_TOOL = 'page_title';
const TOOL = /look|unlock|write|remove|put|page_title/;
const QUESTION = /ask_(?<agent>\w+)\((?<orders>.*)\)/;

/** Opens for "wait" in this process. */
export const gate = new Gate();

let tellStopped: () => void;
/** Resolves when this process stops an answer of the model. */
export const stopped = new Promise<void>((resolve) => (tellStopped = resolve));

/**
 * Follows the last message: "say <number>", "wait" after the first word, "shout" into the log, and the name
 * of a tool; "ask_clerk(…)" gives the orders in brackets to that agent, with the tag "<tag>.clerk".
 * Each word names its step and its position there.
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
    const { tag, orders } = ordersIn(textOf(messages[said] ?? { content: [] }));
    const step = messages.slice(said).filter(({ role }) => role === 'assistant').length;
    const order = orders[step] ?? 'end';
    tell({ kind: 'speaks', tag, step });
    this.logger.verbose(`${tag} ${step}`);
    if (order.includes('shout')) this.logger.error(tag);
    const words = Number(/say (\d+)/.exec(order)?.[1] ?? 1);
    for (let word = 0; word < words; word += 1) {
      yield { type: 'text.delta', delta: `${step}.${word} ` };
      if (word === 0 && order.includes('wait')) await gate.wait(signal);
      await delay(WORD_MS, undefined, { ...(signal && { signal }) });
    }
    const call = callIn(order, tag, step);
    if (call) yield { type: 'tool_use', id: '', ...call };
    yield { type: 'finish', reason: call ? 'tool_use' : 'end_turn' };
  }
}

function callIn(
  order: string,
  tag: string,
  step: number,
): { readonly name: string; readonly input: JsonObject } | undefined {
  const { agent, orders } = QUESTION.exec(order)?.groups ?? {};
  if (agent) return { name: `ask_${agent}`, input: { message: `${tag}.${agent}: ${orders}` } };
  const name = TOOL.exec(order)?.[0];
  if (name === undefined) return undefined;
  return { name, input: name === PAGE_TOOL ? {} : { tag, step: String(step) } };
}
