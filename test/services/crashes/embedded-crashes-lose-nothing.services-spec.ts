import { describeCrashes } from './crashes-lose-nothing.suite';

// Between two requests to the store it does not matter which database it is: the served one's
// processes are killed there.
describeCrashes({
  name: 'embedded PostgreSQL',
  parallel: 1,
  isKilledAt: (point) => point.startsWith('store '),
});
