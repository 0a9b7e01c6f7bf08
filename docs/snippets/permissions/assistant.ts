import { Injectable } from '@nestjs/common';
import { AgentService, SessionService, type ChatResult } from 'nestjs-agent';

// #region resolve
@Injectable()
export class Assistant {
  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
  ) {}

  /** @param request whose credentials the approved calls go with */
  approveAll({ runId, pendingActions }: ChatResult, principal: string, request: unknown) {
    const answers = pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
    return this.agent.resolve(runId, answers, { principal, request });
  }

  forget(sessionId: string, tool: string, principal: string) {
    return this.sessions.revoke(sessionId, tool, principal);
  }
}
// #endregion resolve
