import type { JsonObject, PendingAction } from '../../message';
import { actionsOf } from './sent-answers';

const pending = Array.from({ length: 20 }, (_, index): PendingAction => ({
  type: 'approval',
  callId: `c${index}`,
  name: 'poke',
  input: {},
  expiresAt: '2030-01-01T00:00:00.000Z',
}));
const part = (toolCallId: string, approved: boolean): JsonObject => ({
  ...{ type: 'tool-poke', toolCallId, state: 'approval-responded' },
  approval: { id: toolCallId, approved },
});

it('takes the last answer of each call, and reads every part once', () => {
  let reads = 0;
  const counted = (sent: JsonObject): JsonObject =>
    new Proxy(sent, {
      get: (target, key) => ((reads += key === 'toolCallId' ? 1 : 0), Reflect.get(target, key)),
    });
  const parts = [part('c1', false), part('c1', true), ...pending.map(() => part('other', true))];
  const answer = { id: 'm', parts: parts.map(counted) } as unknown as Parameters<
    typeof actionsOf
  >[0];
  expect(actionsOf(answer, pending)).toEqual([{ callId: 'c1', type: 'approve' }]);
  expect(reads).toBe(parts.length);
});
