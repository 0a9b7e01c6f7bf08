import type { JsonObject } from '../../message';
import { ToolProgress } from './tool-progress';

describe('ToolProgress', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const sent: JsonObject[] = [];
  beforeEach(() => sent.splice(0));
  const created = (): ToolProgress => new ToolProgress('token', (params) => void sent.push(params));

  it.each([1, 50, 99])('sends at most ten in any second, one every %d ms', (pauseMs) => {
    const progress = created();
    const times: number[] = [];
    for (let time = 0; time < 3_000; time += pauseMs) {
      const before = sent.length;
      progress.emit(null);
      if (sent.length > before) times.push(time);
      jest.advanceTimersByTime(pauseMs);
    }
    const mostInASecond = Math.max(
      ...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length),
    );
    expect(mostInASecond).toBe(10);
    expect(times.length).toBeGreaterThanOrEqual(28);
  });

  it('counts no dropped value as a step', () => {
    const progress = created();
    for (let count = 0; count < 50; count += 1) progress.emit(null);
    jest.advanceTimersByTime(1_000);
    progress.emit(null);
    expect(sent.map((params) => params['progress'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
