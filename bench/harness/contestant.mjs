import { performance } from 'node:perf_hooks';
import { Child } from './child.mjs';

const PROBE = new URL('../probe.mjs', import.meta.url).href;

/** One contestant on one version of Node, running. */
export class Contestant {
  constructor({ entry, node }, child, { port, release }) {
    this.entry = entry;
    this.node = node;
    /** The version of Node in full. */
    this.release = release;
    this.child = child;
    this.target = { origin: `http://127.0.0.1:${port}`, path: entry.path, body: entry.body };
  }

  /** Starts it and measures the start: from before the process exists until it listens. */
  static async start(pair, modelUrl) {
    const begun = performance.now();
    const child = new Child(pair.entry.program, {
      node: pair.node.program,
      args: ['--expose-gc', '--import', PROBE],
      env: { MODEL_URL: modelUrl, ...environmentOf(pair.entry) },
    });
    const { port } = await child.next();
    const ms = performance.now() - begun;
    const { cpuMicros, release } = await child.ask('cpu');
    return {
      contestant: new Contestant(pair, child, { port, release }),
      boot: { ms, cpuMs: cpuMicros / 1_000 },
    };
  }

  /** Drives a load through it; returns the client's measurements and the process's CPU time. */
  async take(client, load) {
    const before = await this.child.ask('cpu');
    const { figures } = await client.ask({ ...this.target, ...load });
    const after = await this.child.ask('cpu');
    return {
      ...figures,
      cpuMicros: (after.cpuMicros - before.cpuMicros) / load.turns,
      turnsPerSecond: (load.turns / figures.elapsedMs) * 1_000,
    };
  }

  memory() {
    return this.child.ask('memory');
  }

  stop() {
    return this.child.stop();
  }
}

function environmentOf({ needs }) {
  return needs === undefined ? {} : { [needs]: process.env[needs] };
}
