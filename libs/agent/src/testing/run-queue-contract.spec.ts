import { memoryRuns, type MemoryRuns } from './memory-runs';
import { describeRunQueue } from './run-queue-contract';

let runs: MemoryRuns;

describeRunQueue('memoryRuns', {
  create: () => (runs = memoryRuns()),
  createPeer: (role) => runs.peer({ role }),
  cutOff: (peer) => (peer as MemoryRuns).kill(),
});
