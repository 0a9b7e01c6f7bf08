import type { AgentHttpOptions } from '../options';
import type { TakenResponse } from '../wire';
import { FrameWriter } from './frame.writer';
import type { RunEncoder } from './run.encoder';

/** The stream of one encoder, opened as the encoder requires. */
export class RunStream {
  private readonly writer: FrameWriter;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    response: TakenResponse,
    private readonly encoder: RunEncoder,
    options: AgentHttpOptions['sse'],
  ) {
    this.writer = new FrameWriter(response, options, encoder.headers);
    if (encoder.open === undefined) this.writer.open();
    else this.patience = setTimeout(() => this.open(), options.heartbeatMs).unref();
  }

  get isOpen(): boolean {
    return this.writer.isOpen;
  }

  /** Writes frames, if there are any; returns a promise if the client has to catch up first. */
  write(frames: string): Promise<void> | undefined {
    if (frames !== '') this.open();
    return this.writer.write(frames);
  }

  close(): void {
    clearTimeout(this.patience);
    this.writer.close();
  }

  private open(): void {
    if (this.isOpen) return;
    clearTimeout(this.patience);
    this.writer.open();
    void this.writer.write(this.encoder.open?.() ?? '');
  }
}
