import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { JsonObject } from '../message';
import { parseArguments } from '../schema';
import { AgentError, type Tool, type ToolCall } from '../tool';
import type { AuditedApproval } from './audit/audit-record';
import { CallRecorder } from './audit/call.recorder';
import { CallInterruptedError, CallNotPendingError } from './call/call-errors';
import type { CallOptions } from './call/call-options.interface';
import type { Settlement } from './call/call-response';
import type { CallState } from './call/call-state';
import { CheckedCall } from './call/checked-call';
import { Execution } from './call/execution';
import { LiveToolContext } from './call/live-tool-context';
import { declinedByUser, permissionDenied, unknownTool } from './call/refusals';
import { ToolCatalog } from './catalog/tool.catalog';
import type { Delivery } from './deliveries';
import { PERMISSION_OPTIONS } from './invocation.constants';
import { ownCopyOf } from './json-value';
import type { PermissionOptions } from './permission/permission-options.interface';
import { PermissionRules } from './permission/permission-rules';
import { PermissionResolver } from './permission/permission.resolver';
import { ToolExecutor } from './tool.executor';

/**
 * Makes calls: looks the tool up, checks arguments and permission, and leaves a call whose response
 * is `pending`, `awaiting_approval`, or settled with the reason why it cannot run.
 */
@Injectable()
export class ToolCallFactory {
  private readonly permissions: PermissionResolver;

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
   * @param input the model's arguments, parsed or as its own text
   * @param options who calls and where from; see `CallOptions`
   * @example
   * const call = await calls.create('add', { a: 1, b: 2 });
   * if (call.response.status === 'pending') await call.response.execute();
   */
  async create(
    name: string,
    input: JsonObject | string | undefined,
    options: CallOptions = {},
  ): Promise<ToolCall> {
    const parsed = parse(input);
    const tool = this.catalog.find(name, options);
    const withheld = tool && this.catalog.withheld(tool, options);
    const call = this.newCall(
      name,
      parsed.input,
      withheld === 'hidden' ? undefined : tool,
      options,
    );
    try {
      if (options.signal?.aborted === true) throw new CallInterruptedError(false);
      if (call.tool === undefined) throw unknownTool(name);
      if (withheld === 'denied') throw permissionDenied(name);
      if (withheld === 'inactive_group') throw this.catalog.inactiveGroup(call.tool);
      if (parsed.error !== undefined) throw parsed.error;
      await this.check(call, call.tool);
    } catch (error) {
      call.response.settle(this.executor.refused(error, call.tool));
    }
    return call;
  }

  /**
   * The session's owner has approved: the call becomes `pending`. Guards and the like still run
   * when it is executed.
   *
   * @throws AgentError `not_pending` where the call does not await an approval
   * @internal
   */
  approve(call: ToolCall): ToolCall {
    const known = this.parked(call);
    CheckedCall.stateOf(known).approval = 'approved';
    known.response.release();
    return known;
  }

  /**
   * The session's owner has refused: the call is settled as `declined`, with the reason.
   *
   * @throws AgentError `not_pending` where the call does not await an approval
   * @internal
   */
  decline(call: ToolCall, reason?: string): ToolCall {
    const known = this.parked(call);
    CheckedCall.stateOf(known).approval = 'declined';
    known.response.settle(this.executor.refused(declinedByUser(call.name, reason)));
    return known;
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
    const call = this.newCall(name, input, this.catalog.find(name, options), options);
    CheckedCall.stateOf(call).approval = approval;
    call.response.settle(settlement);
  }

  /** Arguments against the schema, then permission; what is wrong is thrown. */
  private async check(call: CheckedCall, tool: Tool): Promise<void> {
    const args = await tool.bind(ownCopyOf(call.input));
    const state = CheckedCall.stateOf(call);
    const { options } = state;
    state.execution = new Execution(call, tool, args, options, call.response);
    const context = new LiveToolContext(call, options.signal, options);
    const level = await this.permissions.resolve(call, context);
    if (level === 'deny') throw permissionDenied(call.name);
    if (level === 'allow') return;
    state.approval = givenApproval(tool, options);
    if (state.approval === 'none') call.response.park();
  }

  private newCall(
    name: string,
    input: JsonObject,
    tool: Tool | undefined,
    options: CallOptions,
  ): CheckedCall {
    const state: CallState = { options, approval: 'none' };
    const id = options.callId ?? `call_${randomUUID()}`;
    return new CheckedCall(id, tool?.definition.name ?? name, input, tool, state, {
      run: () => this.run(state),
      settled: (call) => this.recorder.record(call, options, state.approval),
    });
  }

  private run({ execution }: CallState): Promise<Settlement> {
    if (execution === undefined)
      throw new AgentError('not_pending', 'This call was never checked.');
    return this.executor.execute(execution);
  }

  private parked(call: ToolCall): CheckedCall {
    if (call instanceof CheckedCall && call.response.status === 'awaiting_approval') return call;
    throw new CallNotPendingError(call.name, call.response.status);
  }
}

/** The owner's word that came with the call: for this very call, or for the tool and the session. */
function givenApproval(tool: Tool, options: CallOptions): AuditedApproval {
  if (options.approved === true) return 'approved';
  const isRemembered = options.rememberedTools?.includes(tool.definition.name) === true;
  return isRemembered && !tool.traits.destructive ? 'remembered' : 'none';
}

function parse(input: JsonObject | string | undefined): {
  readonly input: JsonObject;
  readonly error?: Error;
} {
  try {
    return { input: parseArguments(input) };
  } catch (error) {
    return { input: {}, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
