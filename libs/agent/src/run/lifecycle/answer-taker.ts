import { Injectable } from '@nestjs/common';
import {
  CallInterruptedError,
  deliveryFrom,
  shownInput,
  storedInput,
  ToolCallFactory,
  ToolCatalog,
} from '../../invocation';
import type { JsonObject, PendingAction } from '../../message';
import type { ActionAnswer, SessionEntry } from '../../session';
import { originOf } from '../../telemetry';
import { InvalidArgumentsError, type Tool } from '../../tool';
import {
  actionOf,
  APPROVAL_EXPIRED,
  approvalOf,
  callContextOf,
  type EndedCall,
  rejected,
  RESULT_EXPIRED,
  type RunContext,
} from '../loop';
import { type ChatAction, InvalidInputError, isExpired, type PendingAnswer } from '../request';

/** The result of one answer. */
export interface TakenAnswer {
  readonly entries: readonly SessionEntry[];
  /** Missing where the call is still to run. */
  readonly ended?: EndedCall;
}

/** Turns answers to pending actions into entries, and into ended calls where they end one. */
@Injectable()
export class AnswerTaker {
  constructor(
    private readonly calls: ToolCallFactory,
    private readonly catalog: ToolCatalog,
  ) {}

  /** @throws InvalidInputError where edited input is refused; nothing is taken then */
  async take(run: RunContext, answers: readonly PendingAnswer[]): Promise<readonly TakenAnswer[]> {
    const taken: TakenAnswer[] = [];
    for (const each of answers) taken.push(await this.takeOne(run, each));
    return taken;
  }

  private async takeOne(run: RunContext, each: PendingAnswer): Promise<TakenAnswer> {
    const { action, answer } = each;
    switch (answer.type) {
      case 'result':
        if (isExpired(action)) return expired(run, action);
        return { entries: [], ended: this.delivered(run, each) };
      case 'reject': {
        const { reason } = answer;
        const given = { type: 'reject', ...(reason !== undefined && { reason }) } as const;
        return unused(run, action, given, { settlement: rejected(reason), approval: 'declined' });
      }
      case 'approve':
        return { entries: await this.approval(run, each) };
    }
  }

  private delivered(run: RunContext, { action, answer }: PendingAnswer): EndedCall {
    const { callId, name } = action;
    const options = { ...callContextOf(run), callId };
    return {
      call: callOf(action),
      settlement: this.calls.delivered(name, options, deliveryFrom(answer)),
      approval: approvalOf(run.journal.state, callId),
      isDelivered: true,
    };
  }

  private async approval(
    run: RunContext,
    { action, answer }: PendingAnswer,
  ): Promise<readonly SessionEntry[]> {
    const { runId } = run;
    const { callId, name } = action;
    const tool = this.catalog.find(name, callContextOf(run));
    const input = answer.input && unmaskedInput(tool, answer.input, action);
    if (input !== undefined) await this.checkEdited(run, name, callId, input);
    const isRemembered = answer.remember === true && tool?.traits.destructive === false;
    return [
      {
        type: 'action.answered',
        runId,
        callId,
        answer: {
          type: 'approve',
          ...(input !== undefined && { input, ...shownAs(tool, input) }),
          ...(isRemembered && { remember: true }),
        },
      },
      ...(isRemembered ? [{ type: 'permission.remembered', tool: name } as const] : []),
    ];
  }

  /** Edited input is checked as the model's was; while it is wrong, the approval stays open. */
  private async checkEdited(
    run: RunContext,
    name: string,
    callId: string,
    input: NonNullable<ChatAction['input']>,
  ): Promise<void> {
    const refusal = await this.calls.refusal(name, input, { ...callContextOf(run), callId });
    if (run.abort.signal.aborted) throw new CallInterruptedError(false);
    if (refusal === undefined) return;
    throw new InvalidInputError(`The edited input of "${callId}" is refused. ${refusal.message}`);
  }
}

/** Tells telemetry of approvals that were answered. */
export function tellAnswered(run: RunContext, taken: readonly TakenAnswer[]): void {
  for (const entry of taken.flatMap(({ entries }) => entries)) {
    if (entry.type !== 'action.answered') continue;
    const { callId } = entry;
    const { type: answer } = entry.answer;
    const asked = actionOf(run.journal.state, callId)?.action;
    if (asked?.type !== 'approval') continue;
    const { name: tool } = asked;
    run.telemetry.event(() => ({
      type: 'approval.answered',
      ...originOf(run),
      callId,
      tool,
      answer,
    }));
  }
}

/** Edited input as readers are shown it, where that is another. */
function shownAs(tool: Tool | undefined, input: JsonObject): { readonly shownInput?: JsonObject } {
  const shown = shownInput(tool, tool?.normalize?.(input) ?? input);
  return JSON.stringify(shown) === JSON.stringify(input) ? {} : { shownInput: shown };
}

/** What came back masked is what is stored. */
function unmaskedInput(
  tool: Tool | undefined,
  edited: JsonObject,
  { callId, input }: PendingAction,
): JsonObject {
  try {
    return storedInput(tool, edited, input);
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    throw new InvalidInputError(`The edited input of "${callId}" is refused. ${error.message}`);
  }
}

/** The answer came too late: the call ends as an unanswered one does. */
export function expired(run: RunContext, action: PendingAction): TakenAnswer {
  const end =
    action.type === 'approval'
      ? ({ settlement: APPROVAL_EXPIRED, approval: 'expired' } as const)
      : { settlement: RESULT_EXPIRED, approval: approvalOf(run.journal.state, action.callId) };
  return unused(run, action, { type: 'expire' }, end);
}

function unused(
  { runId }: RunContext,
  action: PendingAction,
  answer: ActionAnswer,
  end: Omit<EndedCall, 'call'>,
): TakenAnswer {
  const { callId } = action;
  return {
    entries: [{ type: 'action.answered', runId, callId, answer }],
    ended: { call: callOf(action), ...end },
  };
}

function callOf({ callId: id, name, input }: PendingAction): EndedCall['call'] {
  return { id, name, input };
}
