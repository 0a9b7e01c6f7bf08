import { ActiveRuns } from './active-runs';

const prepared = () => ({
  runId: 'run',
  sessionId: 's',
  agent: undefined,
  isHidden: false,
  released: Promise.resolve(),
  stop: jest.fn(),
});

it('a run that ends late leaves the same one that went on meanwhile', async () => {
  const runs = new ActiveRuns();
  const [first, second] = [prepared(), prepared()];
  runs.prepare(first);
  runs.prepare(second);
  runs.end(first);
  expect(runs.isHere('run')).toBe(true);
  await runs.stopAll();
  expect(second.stop).toHaveBeenCalledWith('shutdown');
  runs.end(second);
  expect(runs.isHere('run')).toBe(false);
});
