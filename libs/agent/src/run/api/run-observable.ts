import { Observable } from 'rxjs';
import type { AgentEvent } from '../../message';
import type { RunHandle } from '../request';

/** Starts a run per subscription and streams its events; unsubscribing cancels the run. */
export function eventsOf(start: () => Promise<RunHandle>): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    let handle: RunHandle | undefined;
    const relay = async (): Promise<void> => {
      handle = await start();
      if (subscriber.closed) handle.cancel();
      for await (const event of handle.events()) subscriber.next(event);
    };
    relay().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => handle?.cancel();
  });
}
