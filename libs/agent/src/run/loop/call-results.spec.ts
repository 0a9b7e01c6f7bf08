import type { ToolCallFactory } from '../../invocation';
import type { OpenCall } from '../../session';
import type { RunContext } from '../context';
import { endCalls } from './call-results';

it('ends a call without a look at all others: an answer may have thousands', async () => {
  const openCalls: readonly OpenCall[] = [];
  const looked = jest.fn(() => openCalls);
  const state = Object.defineProperty({ openCalls }, 'openCalls', { get: looked });
  const run = {
    runId: 'run',
    abort: new AbortController(),
    journal: { state, append: () => Promise.resolve() },
    asking: { conclude: () => Promise.resolve(new Map()) },
  } as unknown as RunContext;
  const concluded = jest.fn();
  const calls = { conclude: concluded } as unknown as ToolCallFactory;
  const call = { id: 'c', name: 'poke', input: {} };
  const settlement = { status: 'executed', content: 'ok' } as never;
  await endCalls(run, calls, [{ call, settlement, approval: 'none' }]);
  expect(concluded).toHaveBeenCalledTimes(1);
  expect(looked).not.toHaveBeenCalled();
});
