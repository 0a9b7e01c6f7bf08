import type { JsonObject } from '../message';
import { type Tool, toolDigest } from '../tool';
import {
  CallInterruptedError,
  type CallOptions,
  CheckedCall,
  Execution,
  LiveToolContext,
  permissionDenied,
  toolChanged,
  unknownTool,
  untilAborted,
} from './call';
import type { ToolCatalog } from './catalog';
import { permissionOf, type PermissionRules } from './permission';
import { ownCopyOf } from './result';
import { inTime } from './stages';

/** Checks arguments and permission of a call. */
export class CallChecker {
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly rules: PermissionRules,
  ) {}

  /**
   * Prepares a call's execution, or parks the call for approval.
   *
   * @param problem an error found before the checks
   * @throws the reason for refusing the call
   */
  async check(
    call: CheckedCall,
    input: JsonObject,
    withheld: ReturnType<ToolCatalog['withheld']>,
    problem?: Error,
  ): Promise<void> {
    const { name, tool } = call;
    const { options } = CheckedCall.stateOf(call);
    const { signal } = options;
    try {
      if (signal?.aborted === true) throw new CallInterruptedError(false);
      if (tool === undefined && withheld === undefined && problem) throw problem;
      if (tool === undefined || withheld === 'hidden') throw unknownTool(name);
      if (withheld === 'denied') throw permissionDenied(name);
      if (withheld === 'inactive_group') throw this.catalog.inactiveGroup(tool);
      this.assertUnchanged(tool, options);
      if (problem !== undefined) throw problem;
      // A hanging check or permission must not outlast the caller.
      const admit = await untilAborted(this.checkTool(call, tool, input), signal);
      admit();
    } catch (error) {
      throw signal?.aborted === true ? new CallInterruptedError(false) : error;
    }
  }

  /** An approval holds for the tool that the user was asked for, not for another of its name. */
  private assertUnchanged({ definition: { name } }: Tool, options: CallOptions): void {
    const { approvedDigest } = options;
    if (approvedDigest === undefined) return;
    const current = this.catalog.find(name, options);
    if (current === undefined) throw unknownTool(name);
    if (toolDigest(current) !== approvedDigest) throw toolChanged(name);
  }

  /** @returns the effect of the check on the call; skipped after an abort */
  private async checkTool(call: CheckedCall, tool: Tool, input: JsonObject): Promise<() => void> {
    const state = CheckedCall.stateOf(call);
    const { options } = state;
    // Validators may be asynchronous, and of the application.
    const args = await inTime(tool.bind(ownCopyOf(input)), options.signal);
    const context = new LiveToolContext(call, options.signal, options);
    const level = await permissionOf(call, context, this.rules);
    if (level === 'deny') throw permissionDenied(call.name);
    if (level === 'ask' && options.approved !== true) {
      // No approval is asked for a call that the tool's guards would refuse.
      const refusal = await this.catalog.guardRefusal(tool, options);
      if (refusal !== undefined) throw refusal.error;
    }
    return () => {
      state.execution = new Execution(call, tool, args, state.options, call.response);
      if (level !== 'ask' || state.approval === 'approved') return;
      if (isRemembered(tool, state.options)) state.approval = 'remembered';
      else call.response.park('awaiting_approval');
    };
  }
}

/** Whether the session's owner has allowed the tool for the rest of the session. */
function isRemembered(tool: Tool, { rememberedTools = [] }: CallOptions): boolean {
  const remembered = rememberedTools.find(({ name }) => name === tool.definition.name);
  if (remembered === undefined || tool.traits.destructive) return false;
  return remembered.digest === undefined || remembered.digest === toolDigest(tool);
}
