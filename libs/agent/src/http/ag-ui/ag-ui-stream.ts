import type { AgentHttpOptions } from '../options';
import { FrameWriter } from '../sse';
import type { TakenResponse } from '../wire';

/**
 * Writes frames at the client's pace. The stream begins with the first one. All frames are made,
 * even if the client has left: `onDisconnect` says whether a run ends with its client.
 *
 * @throws before the first frame: the answer is an HTTP status then
 */
export async function writeFrames(
  response: TakenResponse,
  frames: AsyncIterable<string>,
  options: AgentHttpOptions['sse'],
): Promise<void> {
  let writer: FrameWriter | undefined;
  try {
    for await (const frame of frames) {
      writer ??= new FrameWriter(response, options);
      const caughtUp = frame === '' ? undefined : writer.write(frame);
      if (caughtUp) await caughtUp;
    }
  } finally {
    writer?.close();
  }
}
