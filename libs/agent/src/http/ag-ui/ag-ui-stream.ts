import type { AgentHttpOptions } from '../options';
import { FrameWriter } from '../sse';
import type { TakenResponse } from '../wire';

/**
 * The stream of one request. It begins with its first frame: a request that is refused before that
 * is answered with an HTTP status.
 */
export class AgUiStream {
  private writer: FrameWriter | undefined;

  constructor(
    private readonly response: TakenResponse,
    private readonly options: AgentHttpOptions['sse'],
  ) {}

  /**
   * Writes frames, if there are any; returns a promise if the client has to catch up first. A client
   * that has left stops nothing: `onDisconnect` says whether a run ends with its client.
   */
  write(frames: string): Promise<void> | undefined {
    if (frames === '') return undefined;
    this.writer ??= new FrameWriter(this.response, this.options);
    return this.writer.write(frames);
  }

  close(): void {
    this.writer?.close();
  }
}
