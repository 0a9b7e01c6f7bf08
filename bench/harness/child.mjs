import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { folder } from './paths.mjs';

/** Longer than any load takes: a process that is silent for as long hangs. */
const LONGEST_SILENCE_MS = 300_000;

/** A process of the bench, asked one question at a time. */
export class Child {
  constructor(program, { node = process.execPath, args = [], env = {} } = {}) {
    this.program = program;
    this.process = fork(join(folder, program), {
      execPath: node,
      execArgv: args,
      // No variables of the user: a key or a telemetry setting would change the measurements.
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.exited = once(this.process, 'exit');
    this.broken = this.exited.then(([code]) => {
      throw new Error(`${program} ended with ${code}.`);
    });
    this.broken.catch(() => undefined);
  }

  /** @throws Error if the process ends, is silent for too long, or reports a failure */
  async next() {
    const signal = AbortSignal.timeout(LONGEST_SILENCE_MS);
    const [answer] = await Promise.race([once(this.process, 'message', { signal }), this.broken]);
    if (answer.failure !== undefined) throw new Error(`${this.program}: ${answer.failure}`);
    return answer;
  }

  ask(question) {
    const answer = this.next();
    this.process.send(question);
    return answer;
  }

  async stop() {
    if (this.process.connected) this.process.disconnect();
    await this.exited;
  }
}
