import { IS_THOROUGH } from '../failure-rounds';
import { describeCrashes } from './crashes-lose-nothing.suite';

// Between two requests to the store it does not matter which database it is: the served one's
// processes are killed there. Here each kind of request is the last one that was answered.
describeCrashes({
  name: 'embedded PostgreSQL',
  parallel: 1,
  isKilledAt: (point, { isCompacting, isSlow = false, past }) => {
    if (!point.startsWith('store ')) return false;
    if (isSlow && !IS_THOROUGH) return point.includes('renew');
    return IS_THOROUGH || isCompacting || past.length === 0;
  },
});
