import { bullmqRuns } from 'nestjs-agent/bullmq';

// #region redis
export const runs = bullmqRuns({
  connection: { url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' },
  role: process.env.ROLE === 'worker' ? 'worker' : 'web',
  credentials: 'none',
});
// #endregion redis
