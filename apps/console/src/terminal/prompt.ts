import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

export interface PromptOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onLine: (line: string) => Promise<void>;
  /** Ctrl-C, which a terminal in raw mode delivers as a key and not as a signal. */
  readonly onInterrupt: () => void;
}

/** Reads lines and handles them one after the other, until the input ends or says `exit`. */
export async function prompt({ input, output, onLine, onInterrupt }: PromptOptions): Promise<void> {
  const lines = createInterface({ input, output, prompt: '> ' });
  lines.on('SIGINT', onInterrupt);
  lines.prompt();
  for await (const line of lines) {
    const message = line.trim();
    if (message === 'exit') break;
    if (message !== '') await onLine(message);
    lines.prompt();
  }
  lines.close();
}
