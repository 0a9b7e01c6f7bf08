import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '../../../tool';
import { builtinTool } from './builtin-tool';

const NO_ARGUMENTS = { type: 'object', properties: {} };
const MEASURED_MS = 100;
const MEBIBYTE = 1024 * 1024;

/** Tools with figures of the process: memory, event loop, open handles. */
export function diagnosticsTools(): readonly Tool[] {
  return [
    builtinTool(
      {
        name: 'process_memory',
        description: 'Memory use of the server process, in mebibytes, and its uptime in seconds.',
        input_schema: NO_ARGUMENTS,
      },
      memory,
    ),
    builtinTool(
      {
        name: 'process_event_loop',
        description:
          "Load of the server process's event loop over a tenth of a second, and how late timers fire, in milliseconds.",
        input_schema: NO_ARGUMENTS,
      },
      ({ context }) => eventLoop(context.signal),
    ),
    builtinTool(
      {
        name: 'process_handles',
        description: 'What keeps the server process busy: open handles and requests by kind.',
        input_schema: NO_ARGUMENTS,
      },
      handles,
    ),
  ];
}

function memory() {
  const usage = process.memoryUsage();
  const mebibytes = (bytes: number) => Math.round((bytes / MEBIBYTE) * 10) / 10;
  return {
    rss: mebibytes(usage.rss),
    heapUsed: mebibytes(usage.heapUsed),
    heapTotal: mebibytes(usage.heapTotal),
    external: mebibytes(usage.external),
    uptimeSeconds: Math.round(process.uptime()),
  };
}

async function eventLoop(signal: AbortSignal) {
  const before: EventLoopUtilization = performance.eventLoopUtilization();
  const startedAt = performance.now();
  await delay(MEASURED_MS, undefined, { signal });
  const { utilization } = performance.eventLoopUtilization(before);
  const timerDelayMs = Math.max(0, performance.now() - startedAt - MEASURED_MS);
  return {
    utilization: Math.round(utilization * 1_000) / 1_000,
    timerDelayMs: Math.round(timerDelayMs * 10) / 10,
  };
}

function handles() {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
