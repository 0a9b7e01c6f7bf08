// Preloaded into each contestant: reports the process's resource usage on request.
import { setImmediate as turn } from 'node:timers/promises';

process.on('message', async (question) => {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send({ cpuMicros: user + system, release: process.versions.node });
    return;
  }
  for (let round = 0; round < 4; round += 1) {
    await turn();
    globalThis.gc();
  }
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ rss, heapUsed });
});
process.on('disconnect', () => process.exit());
