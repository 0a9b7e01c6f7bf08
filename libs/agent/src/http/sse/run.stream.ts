import type { AgentHttpOptions } from '../options';
import type { TakenResponse } from '../wire';
import { FrameWriter } from './frame.writer';
import type { RunEncoder } from './run.encoder';

/** The stream of one encoder, opened as the encoder requires. */
export class RunStream {
  private writer: FrameWriter | undefined;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: TakenResponse,
    private readonly encoder: RunEncoder,
    private readonly options: AgentHttpOptions['sse'],
  ) {
    if (encoder.open === undefined) this.open();
    else this.patience = setTimeout(() => this.open(), options.heartbeatMs).unref();
  }

  /** Whether the stream has begun, so that a failure can no longer set the HTTP status. */
  get isOpen(): boolean {
    return this.writer !== undefined;
  }

  /** Writes frames, if there are any; returns a promise if the client has to catch up first. */
  write(frames: string): Promise<void> | undefined {
    return frames === '' ? undefined : this.open().write(frames);
  }

  close(): void {
    clearTimeout(this.patience);
    this.writer?.close();
  }

  private open(): FrameWriter {
    if (this.writer !== undefined) return this.writer;
    clearTimeout(this.patience);
    const { response, encoder, options } = this;
    this.writer = new FrameWriter(response, options, encoder.headers);
    const opening = encoder.open?.() ?? '';
    if (opening !== '') void this.writer.write(opening);
    return this.writer;
  }
}
