import { type BootReport, type CallContext, subjectOf, type Tool } from '../../tool';
import { toolFailureOf } from '../call';
import type { PermissionReason, PermissionRules } from '../permission';
import type { ToolCatalog } from './tool.catalog';

/** Why a tool is withheld from a caller. */
interface WithheldTool {
  readonly reason: 'hidden' | 'denied' | 'inactive_group' | 'guards';
  /** The guard's message for the caller, if it has one. */
  readonly message?: string;
}

/** A tool, and the reasons for its offer and its permission. */
export interface ExplainedTool {
  readonly tool: Tool;
  /** Missing if the caller is offered the tool. */
  readonly withheld?: WithheldTool;
  /** The strictest one decides. */
  readonly permissions: readonly PermissionReason[];
  /** The warnings of the boot report. */
  readonly warnings: readonly string[];
}

/** Explains the tools of one agent for a caller. Calls and changes nothing. */
export class ToolExplainer {
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly rules: PermissionRules,
    private readonly report?: BootReport,
  ) {}

  /**
   * The tools that a caller is offered.
   *
   * @param isAll those withheld as well
   */
  async explain(context: CallContext, isAll: boolean): Promise<readonly ExplainedTool[]> {
    const tools = isAll ? this.catalog.everything(context) : await this.catalog.offered(context);
    return Promise.all(
      tools.map(async (tool): Promise<ExplainedTool> => {
        const withheld = isAll ? await this.withheldFrom(tool, context) : undefined;
        return {
          tool,
          ...(withheld && { withheld }),
          permissions: this.rules.reasonsOf(tool),
          warnings: this.report?.about(subjectOf(tool)) ?? [],
        };
      }),
    );
  }

  private async withheldFrom(tool: Tool, context: CallContext): Promise<WithheldTool | undefined> {
    const reason = this.catalog.withheld(tool, context);
    if (reason !== undefined) return { reason };
    const refusal = await this.catalog.guardRefusal(tool, context);
    return refusal && { reason: 'guards', message: toolFailureOf(refusal.error).message };
  }
}
