// The time from a request to its worker's first event at the client, with three web processes and
// two workers. For comparison, a plain Queue and Worker of BullMQ in two processes, from `add` to
// the worker's message. Needs PostgreSQL (DATABASE_URL) and the program redis-server.
import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Fleet } from '../../../../test/services/fleet/fleet';
import { LEVEL_2, LEVEL_3 } from '../../../../test/services/fleet/topology';
import { OwnRedis } from '../../../../test/services/redis/server';

const SAMPLES = 100;
const WARM_UP = 20;
const LEASE_MS = 15_000;
const QUEUE = 'plain';

type Sample = () => Promise<number>;

async function print(name: string, sample: Sample): Promise<void> {
  const times: number[] = [];
  for (let index = -WARM_UP; index < SAMPLES; index += 1) {
    const time = await sample();
    if (index >= 0) times.push(time);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.ceil(SAMPLES * part) - 1] ?? 0).toFixed(1);
  process.stdout.write(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
}

function runsIn(fleet: Fleet, type: 'run.started' | 'step.started'): Sample {
  let count = 0;
  return async () => {
    const user = `user-${(count += 1)}`;
    const begin = performance.now();
    const stream = await fleet.stream(user, { message: 'bench: say 1' });
    await stream.next(type);
    const time = performance.now() - begin;
    await stream.next('run.finished');
    return time;
  };
}

async function plain(): Promise<void> {
  const redis = await OwnRedis.start();
  const connection = { host: '127.0.0.1', port: redis.port };
  const child: ChildProcess = fork(__filename, [String(redis.port)]);
  await once(child, 'message');
  const queue = new Queue(QUEUE, { connection });
  await print('BullMQ alone, add to the message of a worker in another process', async () => {
    const begin = performance.now();
    const worked = once(child, 'message');
    await queue.add('job', {}, { removeOnComplete: true });
    await worked;
    return performance.now() - begin;
  });
  await queue.close();
  child.kill('SIGKILL');
  await redis.remove();
}

async function work(port: number): Promise<void> {
  const tell = (): Promise<void> => {
    process.send?.('worked');
    return Promise.resolve();
  };
  const worker = new Worker(QUEUE, tell, { connection: { host: '127.0.0.1', port } });
  await worker.waitUntilReady();
  process.send?.('ready');
}

async function main(): Promise<void> {
  await plain();
  for (const topology of [LEVEL_2, LEVEL_3]) {
    const fleet = await Fleet.start(topology, { leaseMs: LEASE_MS });
    await print(`${topology.name}, request to run.started`, runsIn(fleet, 'run.started'));
    await print(`${topology.name}, request to step.started`, runsIn(fleet, 'step.started'));
    await fleet.close();
  }
}

const [, , port] = process.argv;
void (port === undefined ? main() : work(Number(port)));
