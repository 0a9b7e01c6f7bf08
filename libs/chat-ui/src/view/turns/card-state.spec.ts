import type { ToolPart } from '../../state';
import { stateOf } from './card-state';

describe('the state of an approved call without a result', () => {
  const part: ToolPart = {
    ...{ type: 'tool', callId: 'c', name: 'deploy', inputText: '', progress: [] },
    approval: { answer: 'approved' } as ToolPart['approval'] & object,
  };

  it.each([
    ['running', 'running'],
    ['requires_action', 'answered'],
    ['failed', 'interrupted'],
    ['completed', 'interrupted'],
  ] as const)('is, where its run is %s: %s', (status, state) => {
    expect(stateOf(part, status)).toBe(state);
  });
});
