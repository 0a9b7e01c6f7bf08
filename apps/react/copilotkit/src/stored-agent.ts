import { EventType, HttpAgent, type BaseEvent, type RunAgentInput } from '@ag-ui/client';
import { concat, concatMap, defer, from, of, type Observable } from 'rxjs';
import { loadThread, untilEnded, type StoredThread } from '../../src/shared/ag-ui-thread';

// #region agent
/** Restores a conversation when the chat connects to it: an HttpAgent has nothing to connect to. */
export class StoredAgent extends HttpAgent {
  protected override connect(input: RunAgentInput): Observable<BaseEvent> {
    const { threadId } = input;
    return from(loadThread(threadId)).pipe(
      concatMap((stored) => {
        const shown = restored(input, stored);
        // A run without a message: the server sends the pending actions once more.
        if (stored.isWaiting) return concat(shown, this.run(input));
        if (stored.running === undefined) return shown;
        const later = defer(() => untilEnded(stored.running!).then(() => loadThread(threadId)));
        return concat(shown, later.pipe(concatMap((then) => restored(input, then))));
      }),
    );
  }
}

function restored(
  { threadId, runId }: RunAgentInput,
  { messages }: StoredThread,
): Observable<BaseEvent> {
  const events = [
    { type: EventType.RUN_STARTED, threadId, runId },
    { type: EventType.MESSAGES_SNAPSHOT, messages },
    { type: EventType.RUN_FINISHED, threadId, runId },
  ];
  return of(...events);
}
// #endregion agent
