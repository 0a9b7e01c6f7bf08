import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../package/paths.mjs';

const hook = join(root, 'test/support/typescript-hook.cjs');
const program = join(root, 'test/mcp/conformance/main.ts');

/** Starts the conformance application and waits for the line that names its MCP endpoint. */
export async function startApplication(adapter) {
  const child = spawn(process.execPath, ['--require', hook, program, adapter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const died = ended.then(([code]) => {
    throw new Error(`The ${adapter} application ended with ${code} before it listened.`);
  });
  died.catch(() => undefined);
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), died]);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
