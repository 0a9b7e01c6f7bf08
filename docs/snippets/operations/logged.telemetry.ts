import { Logger } from '@nestjs/common';
import type { AgentTelemetry } from 'nestjs-agent';

const logger = new Logger('Model');

// #region logged
export const telemetry: AgentTelemetry = {
  async modelCall({ model, reason, runId }, go) {
    const { status, usage } = await go();
    logger.log({ model, reason, runId, status, tokens: usage?.totalTokens });
  },
};
// #endregion logged
