import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { shownInput, ToolCallFactory } from '../../invocation';
import { isJsonObject, type JsonObject } from '../../message';
import { RUN_OPTIONS, type RunOptions } from '../../run';
import { SESSION_STORE, type SessionStore } from '../../session';
import type { ToolCall } from '../../tool';
import {
  type ApprovalAnswer,
  approvalAnswer,
  approvalQuestion,
  ApprovalStates,
  type ApprovedCall,
  LONGEST_APPROVAL_MS,
  UsedApprovals,
} from '../approval';
import { type McpCaller, type McpContext, RPC, RpcError } from '../protocol';
import { MCP_SETTINGS, type McpServerSettings, SERVED_CALLS } from '../settings';
import { titleOf } from './tool-entry';

/** The key of the one question in a modern answer. */
const QUESTION = 'approval';
const ELICITATION = 'elicitation/create';

/** The user's answer, by the state that a modern client sent back. */
export interface GivenApproval {
  readonly answer: ApprovalAnswer;
  /** The id of the approved call: it exists once. */
  readonly callId: string;
}

/** The outcome of an approval: a response to the call, or a message or question for the client. */
export type ApprovalOutcome =
  | { readonly type: 'settled' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'question'; readonly result: JsonObject };

/** Asks for calls that need an approval, by the server's options and the client's abilities. */
@Injectable()
export class CallApproval implements BeforeApplicationShutdown {
  private readonly logger = new Logger('AgentMcp');
  private readonly states: ApprovalStates;
  private readonly used: UsedApprovals;

  constructor(
    @Inject(SERVED_CALLS) private readonly calls: ToolCallFactory,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
    @Inject(SESSION_STORE) store: SessionStore,
    @Inject(RUN_OPTIONS) { expireAfterMs }: Pick<RunOptions, 'expireAfterMs'>,
  ) {
    // The record of a used approval must outlive it, and is swept like a conversation.
    const keptMs = expireAfterMs === false ? Infinity : expireAfterMs;
    const lifetimeMs = Math.min(settings.limits.approvalMs, keptMs, LONGEST_APPROVAL_MS);
    this.states = new ApprovalStates(settings.secret, settings.path, lifetimeMs);
    this.used = new UsedApprovals(store);
  }

  beforeApplicationShutdown(): void {
    this.used.close();
  }

  /**
   * The answer in a repeated request; `undefined` if it has none yet. Each answer counts once.
   *
   * @throws RpcError with status 400 for a state that is not of this call, expired or used
   */
  async given(params: JsonObject, call: ApprovedCall): Promise<GivenApproval | undefined> {
    const { requestState, inputResponses } = params;
    const way = this.settings.approvalOf(call.tool.definition.name);
    // The options may have changed since the question.
    if (requestState === undefined || way !== 'elicit') return undefined;
    const claim = this.states.verify(requestState, call);
    if (claim === 'invalid') throw invalidState();
    if (claim === 'outlasting') {
      this.logger.warn(
        `The approval of a call of "${call.tool.definition.name}" was refused: ${OUTLASTING}.`,
      );
      throw invalidState(OUTLASTING);
    }
    const answer = approvalAnswer(
      isJsonObject(inputResponses) ? inputResponses[QUESTION] : undefined,
    );
    if (answer === undefined) return undefined;
    if (!(await this.used.use(claim))) throw invalidState();
    return { answer, callId: claim.nonce };
  }

  /**
   * Settles a call that waits for approval, or returns the question to ask.
   *
   * @throws RpcError if a modern client cannot ask its user
   */
  async decide(call: ToolCall, asked: ApprovedCall, context: McpContext): Promise<ApprovalOutcome> {
    switch (this.settings.approvalOf(call.name)) {
      case 'client':
        return this.approve(call, context.caller);
      case 'refuse':
        return this.refuse(
          call,
          `The tool "${call.name}" needs an approval, which this server does not offer.`,
        );
      case 'elicit':
        return context.isModern ? this.question(call, asked, context) : this.elicit(call, context);
    }
  }

  /** Ends a call that the user did not approve. */
  withhold(call: ToolCall, answer: Exclude<ApprovalAnswer, 'approve'>): ApprovalOutcome {
    if (answer === 'cancel') return this.refuse(call, unapproved(call, DISMISSED));
    this.calls.decline(call);
    return { type: 'settled' };
  }

  private async approve(
    { id }: ToolCall,
    { principal, request, signal }: McpCaller,
  ): Promise<ApprovalOutcome> {
    const caller = { request, signal, ...(principal !== undefined && { principal }) };
    await this.calls.settle(id, { type: 'approve' }, caller);
    return { type: 'settled' };
  }

  /** The client repeats the call with the answer, so this one is dropped. */
  private question(call: ToolCall, asked: ApprovedCall, { elicits }: McpContext): ApprovalOutcome {
    if (!elicits) {
      this.calls.decline(call);
      throw new RpcError(
        RPC.missingCapability,
        `The tool "${call.name}" needs an approval: the client must support elicitation of forms.`,
        400,
        { requiredCapabilities: { elicitation: { form: {} } } },
      );
    }
    this.calls.withdraw(call);
    const params = { mode: 'form', ...questionOf(call) };
    return {
      type: 'question',
      result: {
        resultType: 'input_required',
        inputRequests: { [QUESTION]: { method: ELICITATION, params } },
        requestState: this.states.issue(asked),
      },
    };
  }

  private async elicit(call: ToolCall, context: McpContext): Promise<ApprovalOutcome> {
    if (!context.elicits || context.ask === undefined) {
      return this.refuse(
        call,
        `The tool "${call.name}" needs an approval, and this client cannot ask its user (no elicitation).`,
      );
    }
    const { approvalMs } = this.settings.limits;
    const said = await context.ask(ELICITATION, questionOf(call), approvalMs);
    if (said === undefined) return this.refuse(call, unapproved(call, LATE));
    const answer = approvalAnswer(said.answer.result);
    if (answer === undefined) return this.refuse(call, unapproved(call, FAILED));
    if (answer !== 'approve') return this.withhold(call, answer);
    // The token of the call may have expired while the user thought about it.
    return this.approve(call, { ...context.caller, request: said.request });
  }

  private refuse(call: ToolCall, message: string): ApprovalOutcome {
    this.calls.decline(call);
    return { type: 'refused', message };
  }
}

const LATE = 'which was not given in time';
/** Some clients declare forms without a handler for them. */
const FAILED = 'and this client failed to ask its user';
const DISMISSED = 'and the question was dismissed without an answer';

/** For the model. It distinguishes a refusal of the user from a question that was not asked. */
function unapproved({ name }: ToolCall, reason: string): string {
  return `The tool "${name}" needs an approval, ${reason}. It was not run.`;
}

function questionOf({ name, tool, input }: ToolCall): JsonObject {
  const title = tool === undefined ? name : titleOf(tool.definition);
  return approvalQuestion(title, name, shownInput(tool, input));
}

const UNUSABLE = 'it is not of this call and caller, has expired, or was used before';
/** The cause lies with the server's operator, who reads it in the log. */
const OUTLASTING =
  'it is valid for longer than "limits.approvalMs" and the expiry of conversations allow. Either one of them was shortened after the question, or the clocks of the server\'s processes differ';

function invalidState(reason = UNUSABLE): RpcError {
  return new RpcError(
    RPC.invalidParams,
    `Invalid "requestState": ${reason}. Call the tool without it to ask again.`,
    400,
  );
}
