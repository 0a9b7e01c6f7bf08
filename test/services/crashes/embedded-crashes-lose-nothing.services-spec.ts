import { IS_THOROUGH } from '../failure-rounds';
import { describeCrashes } from './crashes-lose-nothing.suite';

/** The request that keeps the summary of a long history; the others are those of a new session. */
const OF_COMPACTION = 'store append 6, after';

// Between two requests to the store it does not matter which database it is: the served one's
// processes are killed there. Here each kind of request is the last one that was answered.
describeCrashes({
  name: 'embedded PostgreSQL',
  parallel: 1,
  isKilledAt: (point, { isCompacting, isSlow = false, past }) => {
    if (!point.startsWith('store ')) return false;
    if (IS_THOROUGH) return true;
    if (isSlow) return point.includes('renew');
    return isCompacting ? point === OF_COMPACTION : past.length === 0;
  },
});
