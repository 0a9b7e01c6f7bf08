import { Inject, Injectable } from '@nestjs/common';
import { getOrAdd } from '../../internal';
import type { CallOptions, ToolCallFactory } from '../../invocation';
import { isJsonObject, type JsonObject } from '../../message';
import type { OfferedTool } from '../../run';
import {
  type Tool,
  type ToolCall,
  type ToolDefinition,
  toolDigest,
  type ToolFailure,
} from '../../tool';
import type { ApprovalAnswer, ApprovedCall } from '../approval';
import { assertScopes } from '../auth';
import { callContextOf } from '../offers';
import { invalidParams, isId, type McpCaller, type McpContext, type RpcError } from '../protocol';
import { SERVED_CALLS } from '../settings';
import { type ApprovalOutcome, CallApproval, type GivenApproval } from './call-approval';
import { callResultOf, errorResult } from './call-result';
import { ServedTools } from './served-tools';
import { entryOf, type ToolEntry } from './tool-entry';
import { ToolProgress } from './tool-progress';

/** `tools/list` and `tools/call`. */
@Injectable()
export class McpTools {
  /** By definition: each is made once. */
  private readonly entries = new WeakMap<ToolDefinition, ToolEntry>();

  constructor(
    private readonly served: ServedTools,
    @Inject(SERVED_CALLS) private readonly calls: ToolCallFactory,
    private readonly approval: CallApproval,
  ) {}

  async list(caller: McpCaller): Promise<readonly ToolEntry[]> {
    return (await this.served.list(caller)).map((tool) => this.entryOf(tool));
  }

  /** The instructions of the toolkits whose tools the caller is offered. */
  async instructions(caller: McpCaller): Promise<readonly string[]> {
    const tools = await this.served.list(caller);
    return [...new Set(tools.flatMap(({ toolkit }) => toolkit?.instructions ?? []))];
  }

  async call(params: JsonObject, context: McpContext): Promise<object> {
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string.');
    if (!isJsonObject(args)) throw invalidParams('"arguments" must be an object.');
    const tool = this.served.find(name);
    if (tool === undefined) throw unknownTool(name);
    return this.run(tool, args, params, context);
  }

  private entryOf(tool: OfferedTool): ToolEntry {
    return getOrAdd(this.entries, tool.definition, () => entryOf(tool));
  }

  private async run(
    tool: Tool,
    args: JsonObject,
    params: JsonObject,
    context: McpContext,
  ): Promise<object> {
    const { name } = tool.definition;
    const { principal } = context.caller;
    const asked = { tool, args, ...(principal !== undefined && { principal }) };
    const given = context.isModern ? await this.given(params, asked, context) : undefined;
    const call = await this.calls.create(
      name,
      args,
      this.optionsOf(params, context, given && { ...given, tool }),
    );
    const { response } = call;
    if (isUnknown(response.error)) throw unknownTool(name);
    const outcome = await this.settle(call, asked, given?.answer, context);
    if (outcome.type === 'question') return outcome.result;
    if (outcome.type === 'refused') return errorResult(outcome.message);
    assertScopes(response, context.caller);
    return callResultOf(response, this.entryOf(tool).outputSchema !== undefined);
  }

  /** Runs a call that may run, and asks for one that needs an approval. */
  private async settle(
    call: ToolCall,
    asked: ApprovedCall,
    answer: ApprovalAnswer | undefined,
    context: McpContext,
  ): Promise<ApprovalOutcome> {
    const { response } = call;
    const needsApproval = response.status === 'awaiting_approval';
    if (response.status === 'pending' || needsApproval) {
      // A refusal counts even if the call needs no approval any more.
      if (answer === 'decline' || answer === 'cancel') return this.approval.withhold(call, answer);
      if (needsApproval) return this.approval.decide(call, asked, context);
      await response.execute();
    }
    return { type: 'settled' };
  }

  /** The answer that a modern client sent back. Refusing one reveals no hidden tool. */
  private async given(
    params: JsonObject,
    asked: ApprovedCall,
    context: McpContext,
  ): Promise<GivenApproval | undefined> {
    try {
      return await this.approval.given(params, asked);
    } catch (error) {
      const { name } = asked.tool.definition;
      const options = this.optionsOf({}, context, undefined);
      if (isUnknown(await this.calls.refusal(name, asked.args, options))) throw unknownTool(name);
      throw error;
    }
  }

  private optionsOf(
    { _meta: meta }: JsonObject,
    { caller, notify }: McpContext,
    given: (GivenApproval & { readonly tool: Tool }) | undefined,
  ): CallOptions {
    const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
    const progress = isId(token)
      ? new ToolProgress(token, (each) => notify('notifications/progress', each))
      : undefined;
    return {
      ...callContextOf(caller),
      activeGroups: this.served.activeGroups(),
      ...(progress && { emit: (data) => progress.emit(data) }),
      ...(given?.answer === 'approve' && {
        approved: true,
        // The tool may be replaced while the approval is marked as used.
        approvedDigest: toolDigest(given.tool),
        callId: given.callId,
      }),
    };
  }
}

/** Hosts have no means to activate a group, so its tools do not exist for them. */
function isUnknown(error: ToolFailure | undefined): boolean {
  return error?.code === 'not_found' || error?.code === 'group_inactive';
}

function unknownTool(name: string): RpcError {
  return invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
}
