import type { ChatModel, ModelEvent, ModelRequest } from 'nestjs-agent';
import type { ContentBlock } from 'nestjs-agent/types';
import { takeTurn } from '../../../libs/agent/src/run/loop/model-turn';

/** An answer's content as the loop keeps it. */
export async function saidContent(
  model: ChatModel,
  request: Partial<ModelRequest> = {},
): Promise<readonly ContentBlock[]> {
  const { content, failure } = await takeTurn(
    model,
    { messages: [], tools: [], ...request },
    {
      signal: new AbortController().signal,
      emit: () => undefined,
      claimCallId: (id) => id,
      kindOf: () => 'function',
    },
  );
  if (failure) throw failure;
  return content;
}

/** What the loop keeps of an answer if its run is cancelled at the answer's first text. */
export async function contentUpToText(model: ChatModel): Promise<readonly ContentBlock[]> {
  const abort = new AbortController();
  const { content, failure } = await takeTurn(
    model,
    { messages: [], tools: [] },
    {
      signal: abort.signal,
      // After the reader is back at the stream.
      emit: () => setImmediate(() => abort.abort()),
      claimCallId: (id) => id,
      kindOf: () => 'function',
    },
  );
  expect(failure).toMatchObject({ name: 'AbortError' });
  return content;
}

/** The same of events that a model has said. */
export function contentOf(events: readonly ModelEvent[]): Promise<readonly ContentBlock[]> {
  return saidContent({
    name: 'said',
    capabilities: { tools: true },
    async *stream() {
      await Promise.resolve();
      yield* events;
    },
  });
}
