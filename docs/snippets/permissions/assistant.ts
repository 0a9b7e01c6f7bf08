import { Injectable } from '@nestjs/common';
import { AgentService, SessionService, ToolCallFactory, type ChatResult } from 'nestjs-agent';
import type { CallOptions } from 'nestjs-agent/types';

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

// #region settle
@Injectable()
export class Deployments {
  constructor(private readonly calls: ToolCallFactory) {}

  /** The id of the call, where somebody has to approve it first. */
  async start(name: string, version: string, caller: CallOptions): Promise<string | undefined> {
    const { id, response } = await this.calls.create('deploy_app', { name, version }, caller);
    if (response.status === 'pending') await response.execute();
    return response.status === 'awaiting_approval' ? id : undefined;
  }

  decide(callId: string, isApproved: boolean, principal: string) {
    const answer = { type: isApproved ? 'approve' : 'decline' } as const;
    return this.calls.settle(callId, answer, { principal });
  }
}
// #endregion settle
