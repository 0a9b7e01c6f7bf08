import { CallInterruptedError, deliveryFrom, shownInput, storedInput } from '../../invocation';
import type { JsonObject, PendingAction } from '../../message';
import { type ActionAnswer, actionOf, type SessionEntry } from '../../session';
import { InvalidArgumentsError, type Tool } from '../../tool';
import {
  APPROVAL_EXPIRED,
  approvedDigestOf,
  type EndedCall,
  type LoopServices,
  rejected,
  RESULT_EXPIRED,
} from '../loop';
import { callContextOf, runOriginOf, type RunContext } from '../context';
import { type ChatAction, InvalidInputError, isExpired, type PendingAnswer } from '../request';

/** The effect of one answer. */
export interface TakenAnswer {
  readonly entries: readonly SessionEntry[];
  /** Missing if the call still has to run. */
  readonly ended?: EndedCall;
}

/** Turns answers to pending actions into entries and ended calls. */
export class AnswerTaker {
  constructor(private readonly services: LoopServices) {}

  /** @throws InvalidInputError if edited input is refused; no answer is accepted then */
  async take(run: RunContext, answers: readonly PendingAnswer[]): Promise<readonly TakenAnswer[]> {
    const taken: TakenAnswer[] = [];
    for (const each of answers) taken.push(await this.takeOne(run, each));
    return taken;
  }

  private async takeOne(run: RunContext, each: PendingAnswer): Promise<TakenAnswer> {
    const { action, answer } = each;
    if (each.via !== undefined) return { entries: [answered(run, each)] };
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
      settlement: this.services.calls.delivered(name, options, deliveryFrom(answer)),
      isDelivered: true,
    };
  }

  private async approval(
    run: RunContext,
    { action, answer }: PendingAnswer,
  ): Promise<readonly SessionEntry[]> {
    const { runId } = run;
    const { callId, name } = action;
    const tool = this.services.catalog.find(name, run);
    const input = answer.input && unmaskedInput(tool, answer.input, action);
    if (input !== undefined) await this.checkEdited(run, name, callId, input);
    const { toolDigest } = actionOf(run.journal.state, callId) ?? {};
    // An asked agent's session cannot be listed, so a remembered permission could not be revoked.
    const isRemembered =
      answer.remember === true && tool?.traits.destructive === false && !run.askedBy;
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
      ...(isRemembered ? [remembered(name, toolDigest)] : []),
    ];
  }

  /**
   * Checks edited input like the model's. If it is refused, the approval stays pending. A tool that
   * has changed does not run anyway.
   */
  private async checkEdited(
    run: RunContext,
    name: string,
    callId: string,
    input: NonNullable<ChatAction['input']>,
  ): Promise<void> {
    const refusal = await this.services.calls.refusal(name, input, {
      ...callContextOf(run),
      callId,
      ...approvedDigestOf(run.journal.state, callId),
    });
    if (run.abort.signal.aborted) throw new CallInterruptedError(false);
    if (refusal === undefined || refusal.code === 'tool_changed') return;
    throw new InvalidInputError(`The edited input of "${callId}" is refused. ${refusal.message}`);
  }
}

/** Reports answered approvals to telemetry. */
export function tellAnswered(run: RunContext, taken: readonly TakenAnswer[]): void {
  for (const entry of taken.flatMap(({ entries }) => entries)) {
    if (entry.type !== 'action.answered') continue;
    const { callId } = entry;
    const { type: answer } = entry.answer;
    if (answer === 'deliver') continue;
    const asked = actionOf(run.journal.state, callId);
    // An asked agent's run reports its own approvals.
    if (asked?.action.type !== 'approval' || asked.via !== undefined) continue;
    const { name: tool } = asked.action;
    run.telemetry.event(() => ({
      type: 'approval.answered',
      ...runOriginOf(run),
      callId,
      tool,
      answer,
    }));
  }
}

/** Marks an asked agent's action as answered; the agent's own run stores the answer. */
function answered({ runId }: RunContext, { action, answer }: PendingAnswer): SessionEntry {
  const type = answer.type === 'result' ? 'deliver' : answer.type;
  return { type: 'action.answered', runId, callId: action.callId, answer: { type } };
}

/** Applies to the tool as it was when the owner was asked. */
function remembered(tool: string, digest: string | undefined): SessionEntry {
  return { type: 'permission.remembered', tool, ...(digest !== undefined && { digest }) };
}

/** The displayed form of edited input, if it differs. */
function shownAs(tool: Tool | undefined, input: JsonObject): { readonly shownInput?: JsonObject } {
  const shown = shownInput(tool, tool?.normalize?.(input) ?? input);
  return JSON.stringify(shown) === JSON.stringify(input) ? {} : { shownInput: shown };
}

/** Replaces returned masks with the stored values. */
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

/** Ends a call whose answer came too late. */
export function expired(run: RunContext, action: PendingAction, via?: string): TakenAnswer {
  if (via !== undefined) {
    const { callId } = action;
    const answer = { type: 'expire' } as const;
    return { entries: [{ type: 'action.answered', runId: run.runId, callId, answer }] };
  }
  const end =
    action.type === 'approval'
      ? ({ settlement: APPROVAL_EXPIRED, approval: 'expired' } as const)
      : { settlement: RESULT_EXPIRED };
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
