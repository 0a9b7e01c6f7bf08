import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { JsonObject } from '../message';
import { parseArguments } from '../schema';
import type { Tool, ToolCall, ToolFailure } from '../tool';
import { type AuditedApproval, CallRecorder } from './audit';
import {
  CallInterruptedError,
  type CallOptions,
  type CallState,
  CheckedCall,
  type Delivery,
  Execution,
  LiveToolContext,
  permissionDenied,
  type Settlement,
  unknownTool,
  untilAborted,
} from './call';
import { ToolCatalog } from './catalog';
import { PERMISSION_OPTIONS } from './invocation.constants';
import { frozenCopyOf, ownCopyOf } from './result';
import { type PermissionOptions, PermissionResolver, PermissionRules } from './permission';
import { ToolExecutor } from './tool.executor';

/** Takes a call down that has got its one answer. */
type Recording = (call: ToolCall, approval: AuditedApproval) => void;

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

  /** @internal */
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly executor: ToolExecutor,
    private readonly recorder: CallRecorder,
    @Optional() @Inject(PERMISSION_OPTIONS) permissions: PermissionOptions = {},
  ) {
    this.permissions = new PermissionResolver(new PermissionRules(permissions));
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
   * @internal
   */
  conclude(
    { name, input }: Pick<ToolCall, 'name' | 'input'>,
    options: CallOptions,
    settlement: Settlement,
    approval: AuditedApproval = 'none',
  ): void {
    const tool = this.catalog.find(name, options);
    const call = this.newCall(name, input, tool, options, this.recording(options));
    CheckedCall.stateOf(call).approval = approval;
    call.response.settle(settlement);
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
    try {
      if (options.signal?.aborted === true) throw new CallInterruptedError(false);
      if (error !== undefined) throw error;
      if (call.tool === undefined) throw unknownTool(name);
      if (withheld === 'denied') throw permissionDenied(name);
      if (withheld === 'inactive_group') throw this.catalog.inactiveGroup(call.tool);
      if (parsed.error !== undefined) throw parsed.error;
      // A check or a permission that never answers must not outlast who asks.
      const checked = await untilAborted(this.check(call, call.tool, parsed.input), options.signal);
      this.admit(call, call.tool, checked);
    } catch (error) {
      const isLate = options.signal?.aborted === true;
      const cause = isLate ? new CallInterruptedError(false) : error;
      call.response.settle(this.executor.refused(cause, call.tool));
    }
    return call;
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

  /** Nobody is asked to approve what the tool's guards would refuse. */
  private async assertWorthAsking(tool: Tool, options: CallOptions): Promise<void> {
    const refusal = await this.catalog.guardRefusal(tool, options);
    if (refusal !== undefined) throw refusal.error;
  }

  private admit(call: CheckedCall, tool: Tool, { args, isAsking }: CheckedArguments): void {
    const state = CheckedCall.stateOf(call);
    state.execution = new Execution(call, tool, args, state.options, call.response);
    if (!isAsking || state.approval === 'approved') return;
    if (isRemembered(tool, state.options)) state.approval = 'remembered';
    else call.response.park();
  }

  private recording(options: CallOptions): Recording {
    return (call, approval) => {
      const tool = call.tool ?? this.lookUp(call.name, options).tool;
      this.recorder.record(call, options, approval, tool);
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
    return new CheckedCall(id, tool?.definition.name ?? name, asked, tool, state, {
      runner: () => {
        const { execution } = state;
        return execution && (() => this.executor.execute(execution));
      },
      settled: (call) => record(call, state.approval),
    });
  }
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
