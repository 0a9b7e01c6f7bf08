import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentService, defineTool, ToolRegistry, type RegisteredTool } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';

interface Question {
  readonly refund: JsonObject;
  readonly runId: string;
  readonly callId: string;
  readonly principal?: string;
}

// #region review
@Injectable()
export class RefundReview implements OnModuleInit {
  readonly questions: Question[] = []; // a database table in production

  constructor(
    private readonly agent: AgentService,
    private readonly registry: ToolRegistry,
  ) {}

  onModuleInit(): void {
    const tool = defineTool({
      name: 'review_refund',
      description: 'Have a person decide on a refund',
      input: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
      // Queues the question; the returned value is ignored.
      execute: (refund, { call, runId = '', principal = '' }) =>
        void this.questions.push({ refund, runId, callId: call.id, principal }),
    });
    const reviewed: RegisteredTool = {
      ...tool,
      kind: 'review', // shown to clients and in audit records
      answer: { from: 'external', timeoutMs: 7 * 86_400_000 },
    };
    this.registry.register(reviewed);
  }

  /** Behind an endpoint that only reviewers reach. */
  decide({ runId, callId, principal = '' }: Question, isGranted: boolean) {
    const action = { callId, type: 'result', result: { isGranted } } as const;
    return this.agent.settle(runId, action, { principal });
  }
}
// #endregion review
