import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../message';
import { parseArguments } from '../schema';
import { failedEnd, originOf, Telemetry } from '../telemetry';
import { AgentError, type Tool, type ToolCall, type ToolFailure, type ToolResponse } from '../tool';
import { type AuditedApproval, CallRecorder } from './audit';
import {
  CallInterruptedError,
  type CallOptions,
  type CallState,
  CheckedCall,
  declined,
  type Delivery,
  Execution,
  LiveToolContext,
  permissionDenied,
  type Settlement,
  unknownTool,
  untilAborted,
} from './call';
import { ToolCatalog } from './catalog';
import { frozenCopyOf, ownCopyOf } from './result';
import { PermissionResolver, PermissionRules } from './permission';
import { ToolExecutor } from './tool.executor';

/** The most pending calls; beyond it the oldest one is dropped. */
const MOST_WAITING = 10_000;
const WAITING_MS = 3_600_000;

/**
 * The answer to a pending call: `approve` or `decline` one that is
 * `awaiting_approval`, a `result` or an `error` for one that is `awaiting_result`.
 *
 * @example
 * const no: CallAnswer = { type: 'decline', reason: 'Not on a Friday.' };
 */
export type CallAnswer =
  | {
      /** The call may run. */
      readonly type: 'approve';
    }
  | {
      /** It may not. */
      readonly type: 'decline';
      /** Why, for the model to read. */
      readonly reason?: string;
    }
  | Delivery;

/** Takes a call down that has got its one answer. */
type Recording = (call: CheckedCall, approval: AuditedApproval) => void;

/** What checking a call found. */
interface CheckedArguments {
  /** What the tool made of the model's arguments. */
  readonly args: unknown;
  readonly isAsking: boolean;
}

/**
 * Makes calls: looks the tool up, checks arguments and permission, and leaves a call whose response
 * is `pending`, `awaiting_approval`, or settled with the reason why it cannot run.
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
@Injectable()
export class ToolCallFactory {
  private readonly permissions: PermissionResolver;
  private readonly waiting = new LRUCache<string, CheckedCall>({
    max: MOST_WAITING,
    ttl: WAITING_MS,
    perf: { now: () => performance.now() },
  });

  /** @internal */
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly executor: ToolExecutor,
    private readonly recorder: CallRecorder,
    rules: PermissionRules,
    @Optional() private readonly telemetry: Telemetry = new Telemetry(),
  ) {
    this.permissions = new PermissionResolver(rules);
  }

  /**
   * Checks a call; never rejects.
   *
   * @param name the tool's
   * @param input the model's arguments, parsed or as its own text; `{}` without any
   * @param options who calls and where from; nobody by default
   * @returns the call; what kept it from running is its response's `error`
   */
  async create(
    name: string,
    input: JsonObject | string | undefined,
    options: CallOptions = {},
  ): Promise<ToolCall> {
    return this.checked(name, input, options, this.recording(options));
  }

  /**
   * Answers a pending call of its own principal: one of `create`, outside a run, in this process.
   * An approval has the call checked once more and run; everything else ends it. Each has its audit
   * record. A call waits for an hour, and at most 10 000 do.
   *
   * @param callId the call's
   * @param answer counts once
   * @param caller the principal that the call was made for; to everybody else there is no such call
   * @returns the call's response; never rejects for what the tool did
   * @throws AgentError `not_pending` where no call of the caller's waits for such an answer
   */
  async settle(
    callId: string,
    answer: CallAnswer,
    caller: Pick<CallOptions, 'principal' | 'signal'> = {},
  ): Promise<ToolResponse> {
    const key = keyOf(callId, caller);
    const call = this.waiting.get(key);
    if (call === undefined || !fits(answer, call)) {
      throw new AgentError('not_pending', `No call "${callId}" of yours waits for such an answer.`);
    }
    this.waiting.delete(key);
    const { response, tool } = call;
    const state = CheckedCall.stateOf(call);
    switch (answer.type) {
      case 'approve':
        state.options = { ...state.options, ...caller, approved: true };
        state.approval = 'approved';
        delete state.execution;
        response.reopen();
        await this.pass(call, call.input, tool && this.catalog.withheld(tool, state.options));
        return isPending(response) ? response.execute() : response;
      case 'decline':
        state.approval = 'declined';
        return response.settle(this.executor.refused(declined(call.name, answer.reason), tool));
      case 'result':
      case 'error':
        return response.settle(this.executor.delivered(answer, tool));
    }
  }

  /**
   * Why such a call would be refused; `undefined` where it would not. No call is made, so nothing
   * goes on record.
   *
   * @internal
   */
  async refusal(
    name: string,
    input: JsonObject,
    options: CallOptions,
  ): Promise<ToolFailure | undefined> {
    const { response } = await this.checked(name, input, options, () => undefined);
    return response.error;
  }

  /**
   * What a result of the caller's comes to that arrived when no run waited for it.
   *
   * @internal
   */
  delivered(name: string, options: CallOptions, delivery: Delivery): Settlement {
    return this.executor.delivered(delivery, this.catalog.find(name, options));
  }

  /**
   * A stored call has come to its end without being executed here: it is on record as any other.
   *
   * @param isDelivered whether the end is a result from outside
   * @internal
   */
  conclude(
    { name, input }: Pick<ToolCall, 'name' | 'input'>,
    options: CallOptions,
    settlement: Settlement,
    approval: AuditedApproval = 'none',
    isDelivered = false,
  ): void {
    const tool = this.catalog.find(name, options);
    const call = this.newCall(name, input, tool, options, this.recording(options));
    const state = CheckedCall.stateOf(call);
    state.approval = approval;
    if (isDelivered) {
      state.hasRun = true;
      void this.observed(call, 'delivered', () => Promise.resolve(settlement));
    }
    call.response.settle(settlement);
  }

  /** Carries a call out within its hook. */
  private observed(
    call: CheckedCall,
    reason: 'call' | 'approved' | 'delivered',
    work: () => Promise<Settlement | undefined>,
  ): Promise<Settlement | undefined> {
    return this.telemetry.around('toolCall', {
      info: () => ({
        ...originOf(CheckedCall.stateOf(call).options),
        callId: call.id,
        tool: call.name,
        kind: call.tool?.kind ?? 'function',
        reason,
      }),
      work,
      end: (settlement) => ({
        status: settlement?.status ?? 'awaiting_result',
        attempts: call.response.attempts,
        ...(settlement?.error && { errorCode: settlement.error.code }),
      }),
      failed: (error) => ({
        attempts: call.response.attempts,
        ...failedEnd(error),
        status: 'failed',
      }),
    });
  }

  /** Tells of a call that ended without having run. */
  private refused(call: CheckedCall): void {
    const { options, hasRun = false } = CheckedCall.stateOf(call);
    const { status, error } = call.response;
    if (hasRun || status === 'executed') return;
    this.telemetry.event(() => ({
      type: 'tool.refused',
      ...originOf(options),
      callId: call.id,
      tool: call.name,
      ...(call.tool && { kind: call.tool.kind }),
      outcome:
        error?.code === 'expired'
          ? 'expired'
          : status === 'declined' || status === 'interrupted'
            ? status
            : 'error',
      errorCode: error?.code ?? status,
    }));
  }

  private async checked(
    name: string,
    input: JsonObject | string | undefined,
    options: CallOptions,
    record: Recording,
  ): Promise<ToolCall> {
    // All calls of a run listen to its one signal: Node need not suspect a leak.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    const parsed = parse(input);
    const { tool, error } = this.lookUp(name, options);
    const withheld = tool && this.catalog.withheld(tool, options);
    const call = this.newCall(
      name,
      tool?.normalize?.(parsed.input) ?? parsed.input,
      withheld === 'hidden' ? undefined : tool,
      options,
      record,
    );
    await this.pass(call, parsed.input, withheld, error ?? (tool && parsed.error));
    return call;
  }

  /** Lets a call through to where it may run, or waits; or settles it with what is wrong. */
  private async pass(
    call: CheckedCall,
    input: JsonObject,
    withheld: ReturnType<ToolCatalog['withheld']>,
    problem?: Error,
  ): Promise<void> {
    const { name, tool } = call;
    const { signal } = CheckedCall.stateOf(call).options;
    try {
      if (signal?.aborted === true) throw new CallInterruptedError(false);
      if (tool === undefined && withheld === undefined && problem) throw problem;
      if (tool === undefined || withheld === 'hidden') throw unknownTool(name);
      if (withheld === 'denied') throw permissionDenied(name);
      if (withheld === 'inactive_group') throw this.catalog.inactiveGroup(tool);
      if (problem !== undefined) throw problem;
      // A check or a permission that never answers must not outlast who asks.
      this.admit(call, tool, await untilAborted(this.check(call, tool, input), signal));
    } catch (error) {
      const cause = signal?.aborted === true ? new CallInterruptedError(false) : error;
      call.response.settle(this.executor.refused(cause, tool));
    }
  }

  /** A tool that comes with this call may be one that cannot be used. */
  private lookUp(
    name: string,
    options: CallOptions,
  ): { readonly tool?: Tool | undefined; readonly error?: Error } {
    try {
      return { tool: this.catalog.find(name, options) };
    } catch (error) {
      return { error: asError(error) };
    }
  }

  /** Arguments against the schema, then permission; what is wrong is thrown. */
  private async check(call: CheckedCall, tool: Tool, input: JsonObject): Promise<CheckedArguments> {
    const args = await tool.bind(ownCopyOf(input));
    const { options } = CheckedCall.stateOf(call);
    const context = new LiveToolContext(call, options.signal, options);
    const level = await this.permissions.resolve(call, context);
    if (level === 'deny') throw permissionDenied(call.name);
    if (level === 'ask' && options.approved !== true) await this.assertWorthAsking(tool, options);
    return { args, isAsking: level === 'ask' };
  }

  /** No approval is asked for a call that the tool's guards would refuse. */
  private async assertWorthAsking(tool: Tool, options: CallOptions): Promise<void> {
    const refusal = await this.catalog.guardRefusal(tool, options);
    if (refusal !== undefined) throw refusal.error;
  }

  private admit(call: CheckedCall, tool: Tool, { args, isAsking }: CheckedArguments): void {
    const state = CheckedCall.stateOf(call);
    state.execution = new Execution(call, tool, args, state.options, call.response);
    if (!isAsking || state.approval === 'approved') return;
    if (isRemembered(tool, state.options)) state.approval = 'remembered';
    else call.response.park('awaiting_approval');
  }

  private recording(options: CallOptions): Recording {
    return (call, approval) => {
      const tool = call.tool ?? this.lookUp(call.name, options).tool;
      this.recorder.record(call, options, approval, tool);
      this.refused(call);
    };
  }

  private newCall(
    name: string,
    input: JsonObject,
    tool: Tool | undefined,
    options: CallOptions,
    record: Recording,
  ): CheckedCall {
    const approval = options.approved === true ? 'approved' : 'none';
    const state: CallState = { options, approval };
    const id = options.callId ?? `call_${randomUUID()}`;
    const asked = frozenCopyOf(input);
    const call: CheckedCall = new CheckedCall(
      id,
      tool?.definition.name ?? name,
      asked,
      tool,
      state,
      {
        runner: () => {
          const { execution } = state;
          if (execution === undefined) return undefined;
          return () => {
            state.hasRun = true;
            const reason = state.approval === 'approved' ? 'approved' : 'call';
            return this.observed(call, reason, () => this.executor.execute(execution));
          };
        },
        parked: () => {
          if (options.runId === undefined) this.waiting.set(keyOf(id, options), call);
        },
        settled: () => {
          const key = keyOf(id, options);
          if (this.waiting.peek(key) === call) this.waiting.delete(key);
          record(call, state.approval);
        },
      },
    );
    return call;
  }
}

/** A call belongs to its principal: ids are the makers' to choose, so two may have the same. */
function keyOf(callId: string, { principal }: CallOptions): string {
  return JSON.stringify([principal ?? null, callId]);
}

function isPending({ status }: ToolResponse): boolean {
  return status === 'pending';
}

function fits({ type }: CallAnswer, { response }: CheckedCall): boolean {
  const isApproval = type === 'approve' || type === 'decline';
  return response.status === (isApproval ? 'awaiting_approval' : 'awaiting_result');
}

/** Whether the owner's word for the tool and the session holds. */
function isRemembered(
  { definition, traits }: Tool,
  { rememberedTools = [] }: CallOptions,
): boolean {
  return rememberedTools.includes(definition.name) && !traits.destructive;
}

function parse(input: JsonObject | string | undefined): {
  readonly input: JsonObject;
  readonly error?: Error;
} {
  try {
    return { input: parseArguments(input) };
  } catch (error) {
    return { input: {}, error: asError(error) };
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
