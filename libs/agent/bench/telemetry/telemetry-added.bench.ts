// The cost of otel() itself per turn: the hook calls of a streamed turn with a tool, without the
// turn. The minimum of many rounds of compiled code, which other work on the machine hardly
// affects.
import { context } from '@opentelemetry/api';
import type { AgentTelemetry } from '../../src';
import { otel } from '../../src/otel';
import { meterProvider, register, tracerProvider } from './telemetry-variants';

const TURNS = 200;
const ROUNDS = 60;

const USAGE = {
  inputTokens: 10,
  outputTokens: 5,
  totalTokens: 15,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const ORIGIN = { agent: 'agent', runId: 'run-1', sessionId: 'session-1', principal: 'alice' };
const MODEL = { model: 'wordy', provider: 'openai' };
const PIECES_MS = [3, 1.2, 1.3, 1.1, 1.5, 1.1, 1.3, 1.2, 1.1, 1.4];
/** The operations of a turn on the session store. */
const OPERATIONS = ['acquireNew', ...Array<string>(4).fill('append')];

async function step(telemetry: AgentTelemetry, hasCall: boolean): Promise<void> {
  await telemetry.modelCall?.(
    { ...ORIGIN, ...MODEL, reason: 'step', attempt: 1, isCompacted: false },
    () => {
      telemetry.event?.({ ...ORIGIN, type: 'first_token' });
      return Promise.resolve({
        status: 'completed',
        finishReason: 'end_turn',
        usage: USAGE,
        chunkMs: PIECES_MS,
      });
    },
  );
  telemetry.measure?.({ agent: 'agent', type: 'usage', ...MODEL, usage: USAGE });
  if (!hasCall) return;
  const call = { callId: 'call_1', tool: 'add', kind: 'function', approval: 'none' } as const;
  await telemetry.toolCall?.({ ...ORIGIN, ...call, reason: 'call', description: 'Add' }, () => {
    telemetry.trace?.();
    return Promise.resolve({ status: 'executed', attempts: 1 });
  });
}

async function turn(telemetry: AgentTelemetry): Promise<void> {
  await telemetry.run?.({ ...ORIGIN, ...MODEL, reason: 'start' }, async () => {
    telemetry.measure?.({ agent: 'agent', type: 'stream.opened' });
    for (const operation of OPERATIONS) {
      const answered = { operation, durationMs: 0.4, isFailed: false };
      telemetry.measure?.({ agent: 'agent', type: 'store.answered', ...answered });
    }
    await step(telemetry, true);
    await step(telemetry, false);
    telemetry.measure?.({ agent: 'agent', type: 'stream.closed' });
    return { status: 'completed', stopReason: 'end_turn', usage: USAGE, steps: 2 };
  });
}

async function main(): Promise<void> {
  register({ name: 'an SDK', hasSdk: true });
  const sdk = { tracerProvider, meterProvider };
  const variants: Readonly<Record<string, AgentTelemetry>> = {
    'otel(), without an SDK': otel(),
    'otel() and the SDK, spans only': otel({ ...sdk, metrics: false }),
    'otel() and the SDK': otel(sdk),
  };
  const least = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, telemetry] of Object.entries(variants)) {
      const before = process.cpuUsage();
      for (let index = 0; index < TURNS; index += 1) await turn(telemetry);
      const { user, system } = process.cpuUsage(before);
      least.set(name, Math.min(least.get(name) ?? Infinity, (user + system) / TURNS));
      await tracerProvider.forceFlush();
    }
  }
  process.stdout.write('CPU of the hooks of a turn                 µs\n');
  for (const [name, micros] of least) {
    process.stdout.write(`  ${name.padEnd(34)} ${micros.toFixed(0).padStart(7)}\n`);
  }
  context.disable();
  await tracerProvider.shutdown();
  await meterProvider.shutdown();
}

void main();
