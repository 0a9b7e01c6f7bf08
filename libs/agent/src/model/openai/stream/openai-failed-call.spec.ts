import { growthOf } from '../../../internal/fixtures/growth';
import { failedCall } from './openai-failed-call';

describe('a call that was rejected before it arrived', () => {
  it('takes no more time for each of many signs', () => {
    const read = (size: number) => {
      const failed_generation = `<function=add${'-'.repeat(size)}${'{'.repeat(size)}`;
      return failedCall({ code: 'tool_use_failed', failed_generation }, new Set(['add']));
    };
    expect(growthOf(read, 1_000)).toBeLessThan(9);
  });
});
