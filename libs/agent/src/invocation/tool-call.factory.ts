import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { JsonObject } from '../message';
import { parseArguments } from '../schema';
import { Telemetry } from '../telemetry';
import {
  AgentError,
  type Tool,
  type ToolCall,
  toolDigest,
  type ToolFailure,
  type ToolResponse,
} from '../tool';
import type { AuditedApproval, CallRecorder } from './audit';
import {
  type CallOptions,
  type CallState,
  CheckedCall,
  declined,
  type Delivery,
  type Settlement,
} from './call';
import { CallChecker } from './call.checker';
import { CallObserver } from './call.observer';
import type { ToolCatalog } from './catalog';
import type { PermissionRules } from './permission';
import { frozenCopyOf } from './result';
import type { ToolExecutor } from './tool.executor';
import { type CallAnswer, WaitingCalls } from './waiting-calls';

/**
 * Creates calls: looks the tool up and checks arguments and permission. The response is then
 * `pending`, `awaiting_approval`, or settled with the error of a call that cannot run.
 *
 * @example
 * \@Injectable()
 * export class Calculator {
 *   constructor(private readonly calls: ToolCallFactory) {}
 *
 *   async sum(a: number, b: number): Promise<unknown> {
 *     const { response } = await this.calls.create('add', { a, b });
 *     if (response.status === 'pending') await response.execute();
 *     return response.result;
 *   }
 * }
 */
export class ToolCallFactory {
  private readonly checker: CallChecker;
  private readonly observer: CallObserver;
  private readonly waiting = new WaitingCalls();

  /** @internal */
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly executor: ToolExecutor,
    private readonly recorder: CallRecorder,
    rules: PermissionRules,
    telemetry: Telemetry = new Telemetry(),
  ) {
    this.checker = new CallChecker(catalog, rules);
    this.observer = new CallObserver(recorder, telemetry);
  }

  /**
   * Checks a call; never rejects.
   *
   * @param name the tool's name
   * @param input the model's arguments, parsed or as JSON text; `{}` by default
   * @param options caller and origin; an anonymous caller by default
   * @returns the call; if it cannot run, `response.error` has the reason
   */
  create(
    name: string,
    input: JsonObject | string | undefined,
    options: CallOptions = {},
  ): Promise<ToolCall> {
    return this.checked(name, input, options);
  }

  /**
   * Answers a pending call that the same principal created in this process, outside a run. An
   * approved call is checked again and executed, unless its tool has changed since; every other
   * answer ends the call. Each answer has an audit record. A call waits for one hour; at most 10 000
   * calls wait.
   *
   * @param callId the call's id
   * @param answer the answer; only the first one counts
   * @param caller the principal that created the call, as other principals cannot find it; its
   *   request, with the credentials to execute with; the one that created the call by default
   * @returns the call's response; failures of the tool do not reject
   * @throws AgentError `not_pending` if no call of this caller waits for such an answer
   */
  async settle(
    callId: string,
    answer: CallAnswer,
    caller: Pick<CallOptions, 'principal' | 'request' | 'signal'> = {},
  ): Promise<ToolResponse> {
    const call = this.waiting.take(callId, caller, answer);
    if (call === undefined) {
      throw new AgentError('not_pending', `No call "${callId}" of yours waits for such an answer.`);
    }
    const { response, tool } = call;
    const state = CheckedCall.stateOf(call);
    switch (answer.type) {
      case 'approve':
        state.options = {
          ...state.options,
          ...caller,
          approved: true,
          ...(tool && { approvedDigest: toolDigest(tool) }),
        };
        state.approval = 'approved';
        delete state.execution;
        response.reopen();
        await this.pass(call, call.input, tool && this.catalog.withheld(tool, state.options));
        return isPending(response) ? response.execute() : response;
      case 'decline':
        return this.decline(call, answer.reason);
      case 'result':
      case 'error':
        return response.settle(this.executor.delivered(answer, tool));
    }
  }

  /**
   * Ends a call that has not run: its caller declined it.
   *
   * @internal
   */
  decline(call: ToolCall, reason?: string): ToolResponse {
    if (!(call instanceof CheckedCall)) return call.response;
    this.waiting.remove(call);
    CheckedCall.stateOf(call).approval = 'declined';
    return call.response.settle(this.executor.refused(declined(call.name, reason), call.tool));
  }

  /**
   * Drops a call that waits for approval, without a record: its caller will repeat it.
   *
   * @internal
   */
  withdraw(call: ToolCall): void {
    if (call instanceof CheckedCall) this.waiting.remove(call);
  }

  /**
   * The error that such a call would be refused with, if any. Creates no call and no audit record.
   *
   * @internal
   */
  async refusal(
    name: string,
    input: JsonObject,
    options: CallOptions,
  ): Promise<ToolFailure | undefined> {
    const { response } = await this.checked(name, input, options, false);
    return response.error;
  }

  /**
   * The settlement of a delivered result that no running process waits for.
   *
   * @internal
   */
  delivered(name: string, options: CallOptions, delivery: Delivery): Settlement {
    return this.executor.delivered(delivery, this.catalog.find(name, options));
  }

  /**
   * Arguments for telemetry: masked, and redacted as in audit records.
   *
   * @internal
   */
  shownInput(tool: Tool | undefined, input: JsonObject): JsonObject {
    return this.recorder.shown(tool, input);
  }

  /**
   * Records the end of a stored call that was not executed here.
   *
   * @param isDelivered whether the settlement is a delivered result
   * @internal
   */
  conclude(
    { name, input }: Pick<ToolCall, 'name' | 'input'>,
    options: CallOptions,
    settlement: Settlement,
    approval: AuditedApproval = 'none',
    isDelivered = false,
  ): void {
    const call = this.newCall(name, input, this.catalog.find(name, options), options);
    const state = CheckedCall.stateOf(call);
    state.approval = approval;
    if (isDelivered) {
      state.hasRun = true;
      void this.observer.around(call, 'delivered', () => Promise.resolve(settlement));
    }
    call.response.settle(settlement);
  }

  private async checked(
    name: string,
    input: JsonObject | string | undefined,
    options: CallOptions,
    isRecorded = true,
  ): Promise<ToolCall> {
    // All calls of a run listen to its signal: no leak for Node to warn of.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const { value: given = {}, error: unreadable } = attempt(() => parseArguments(input));
    // A tool supplied with the call may be unusable.
    const { value: tool, error } = attempt(() => this.catalog.find(name, options));
    const withheld = tool && this.catalog.withheld(tool, options);
    const call = this.newCall(
      name,
      tool?.normalize?.(given) ?? given,
      withheld === 'hidden' ? undefined : tool,
      options,
      isRecorded,
    );
    await this.pass(call, given, withheld, error ?? (tool && unreadable));
    return call;
  }

  /** Checks a call; settles it if the check fails. */
  private async pass(...checked: Parameters<CallChecker['check']>): Promise<void> {
    const [{ response, tool }] = checked;
    try {
      await this.checker.check(...checked);
    } catch (error) {
      response.settle(this.executor.refused(error, tool));
    }
  }

  private newCall(
    name: string,
    input: JsonObject,
    tool: Tool | undefined,
    options: CallOptions,
    isRecorded = true,
  ): CheckedCall {
    const approval = options.approved === true ? 'approved' : 'none';
    const state: CallState = { options, approval };
    const id = options.callId ?? `call_${randomUUID()}`;
    const shownName = tool?.definition.name ?? name;
    const call: CheckedCall = new CheckedCall(id, shownName, frozenCopyOf(input), tool, state, {
      runner: () => {
        const { execution } = state;
        if (execution === undefined) return undefined;
        return () => {
          state.hasRun = true;
          const reason = state.approval === 'approved' ? 'approved' : 'call';
          return this.observer.around(call, reason, () => this.executor.execute(execution));
        };
      },
      parked: () => {
        if (options.runId === undefined) this.waiting.add(call);
      },
      settled: () => {
        this.waiting.remove(call);
        if (!isRecorded) return;
        const { value: named } = attempt(() => tool ?? this.catalog.find(shownName, options));
        this.observer.settled(call, named);
      },
    });
    return call;
  }
}

function isPending({ status }: ToolResponse): boolean {
  return status === 'pending';
}

/** The result of some work, or its error. */
function attempt<T>(work: () => T): { readonly value?: T; readonly error?: Error } {
  try {
    return { value: work() };
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}
