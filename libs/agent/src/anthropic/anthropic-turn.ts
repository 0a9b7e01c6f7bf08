import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { addUsage, Batched, batchesOf, countedUsage, type ModelUsage } from '../message';
import type { ModelEvent } from '../model';
import type { AnthropicStreamDecoder, WholeBlock } from './stream';

/** How often a paused answer is continued by default. */
const MAX_CONTINUATIONS = 5;

/** The state that an answer continues from. */
export interface AnswerSoFar {
  readonly blocks: readonly WholeBlock[];
  readonly container: string | undefined;
  /** The answers' ids. */
  readonly ids: ReadonlySet<string>;
}

/** One answer, and its decoder as soon as the answer has ended. */
interface AnswerPart {
  readonly events: AsyncIterable<ModelEvent>;
  decoder(): AnthropicStreamDecoder | undefined;
}

/**
 * A whole answer. The provider may pause while its own tools run long; it continues when it gets
 * its answer so far back. The usage of all parts is added up.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#pause-turn
 */
export function wholeTurn(
  ask: (said: AnswerSoFar) => AnswerPart,
  maxContinuations = MAX_CONTINUATIONS,
): AsyncIterable<ModelEvent> {
  return new Batched(turnOf(ask, Math.min(maxContinuations, MAX_CONTINUATIONS)));
}

async function* turnOf(
  ask: (said: AnswerSoFar) => AnswerPart,
  maxContinuations: number,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  let said: AnswerSoFar = { blocks: [], container: undefined, ids: new Set() };
  let usage: ModelUsage | undefined;
  for (let count = 0; ; count += 1) {
    const part = ask(said);
    let end: Extract<ModelEvent, { type: 'finish' }> | undefined;
    for await (const batch of batchesOf(part.events)) {
      const last = batch.at(-1);
      end = last?.type === 'finish' ? last : end;
      const rest = last?.type === 'finish' ? batch.slice(0, -1) : batch;
      if (rest.length > 0) yield rest;
    }
    if (end === undefined) return;
    usage = sumOf(usage, end.usage);
    const decoder = part.decoder();
    const goesOn = decoder?.isPaused === true && end.reason === 'end_turn';
    if (decoder === undefined || !goesOn || count >= maxContinuations) {
      yield [{ type: 'finish', reason: end.reason, ...(usage && { usage }) }];
      return;
    }
    said = {
      blocks: [...said.blocks, ...decoder.said],
      container: decoder.container ?? said.container,
      ids: new Set([...said.ids, decoder.id].filter((id) => id !== '')),
    };
  }
}

function sumOf(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined {
  const [before, now] = [countedUsage(a), countedUsage(b)];
  return before && now ? addUsage(before, now) : (now ?? before);
}

/** The request again, with the answer so far. */
export function goingOn(
  body: MessageCreateParamsStreaming,
  { blocks, container }: AnswerSoFar,
): MessageCreateParamsStreaming {
  if (blocks.length === 0) return body;
  const answer = { role: 'assistant' as const, content: blocks as never };
  return {
    ...body,
    ...(container !== undefined && { container }),
    messages: [...body.messages, answer],
  };
}
