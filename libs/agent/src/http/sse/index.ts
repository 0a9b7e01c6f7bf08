// Server-sent events: frames, and the connection that writes them.
export { acceptsEventStream } from './accept';
export { peek } from './peek';
export { FrameWriter } from './frame.writer';
export { SSE_RETRY, sseFrame } from './sse.encoder';
