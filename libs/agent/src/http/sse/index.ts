// Server-sent events: frames, and the connection that writes them.
export { acceptsEventStream } from './accept';
export { isShownFlat } from './flat-event';
export { FrameWriter } from './frame.writer';
export { peek } from './peek';
export { type RunEncoder } from './run.encoder';
export { relayedRun } from './relayed-run';
export { RunResponder, type RelayedRun, type StreamProtocol } from './run.responder';
export { wordedEnd } from './worded-end';
