import { Logger } from '@nestjs/common';
import { defined, thrownText } from '../../internal';
import type { ExplainedTool, ToolExplainer } from '../../invocation';
import { type ChatModel, type ToolDialect, toolDialectsOf } from '../../model';
import { ToolNotFoundError } from '../../run';
import type { JsonObject } from '../../message';
import { exampleOf } from '../../schema';
import { TokenCounter } from '../../session';
import type { JsonSchema, PermissionLevel } from '../../tool';
import type { Caller } from '../caller';
import type { EndpointSettings } from '../options';
import type { OfferedEntry, WorkbenchOffers } from './workbench-offers';

/** How tokens are estimated: the encoding, and of which text. */
const ESTIMATE = 'o200k_base, of the declared definition as JSON';

interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly kind: string;
  /** Where it is declared. */
  readonly source: string;
  readonly origin?: string;
  readonly group?: string;
  readonly toolkit?: string;
  readonly traits: ExplainedTool['tool']['traits'];
  readonly permissions: readonly {
    readonly from: string;
    readonly level: PermissionLevel | 'function';
  }[];
  readonly tokens: number;
  readonly warnings: readonly string[];
  readonly withheld?: ExplainedTool['withheld'];
}

export interface WorkbenchList {
  readonly estimate: string;
  /** The tokens of all tools that this caller is offered. */
  readonly tokens: number;
  /** Whether the caller may see all tools. */
  readonly mayAll: boolean;
  readonly model: { readonly name: string; readonly provider?: string };
  readonly tools: readonly ListedTool[];
  readonly offers: readonly (OfferedEntry & { readonly source: string })[];
}

export interface WorkbenchTool extends ListedTool {
  readonly input_schema: JsonSchema;
  readonly output_schema?: JsonSchema;
  /** Arguments that the tool accepts. */
  readonly example: JsonObject;
  readonly dialects: readonly ToolDialect[];
}

/** Explains the tools of one agent for one caller. */
export class WorkbenchTools {
  private readonly logger = new Logger('Workbench');
  private readonly counter = new TokenCounter();

  constructor(
    private readonly explainer: ToolExplainer,
    private readonly offers: WorkbenchOffers,
    private readonly model: ChatModel,
    private readonly settings: EndpointSettings,
  ) {}

  /** @param wantsAll whether the caller asks for all tools; without the right it sees its own */
  async list(caller: Caller, wantsAll: boolean): Promise<WorkbenchList> {
    const mayAll = await this.mayAll(caller);
    const explained = await this.explainer.explain(caller, wantsAll && mayAll);
    const tools = await Promise.all(explained.map((each) => this.listed(each)));
    const offered = tools.filter(({ withheld }) => withheld === undefined);
    const { name, provider } = this.model;
    return {
      estimate: ESTIMATE,
      tokens: offered.reduce((sum, { tokens }) => sum + tokens, 0),
      mayAll,
      model: defined({ name, provider }),
      tools,
      offers: await this.offers.list(caller),
    };
  }

  /** @throws ToolNotFoundError if this caller may not see such a tool */
  async detail(name: string, caller: Caller): Promise<WorkbenchTool> {
    const explained = await this.explainer.explain(caller, await this.mayAll(caller));
    const found = explained.find(({ tool }) => tool.definition.name === name);
    if (found === undefined) throw new ToolNotFoundError(name);
    const { definition } = found.tool;
    const { input_schema, output_schema } = definition;
    return defined({
      ...(await this.listed(found)),
      input_schema,
      output_schema,
      // The schemas of tools are of objects.
      example: (found.tool.example?.input ?? exampleOf(input_schema)) as JsonObject,
      dialects: toolDialectsOf(definition),
    });
  }

  /** A function that fails gives no right. */
  private async mayAll({ principal, request }: Caller): Promise<boolean> {
    const { workbench } = this.settings;
    if (typeof workbench !== 'object' || workbench.all === undefined) return false;
    try {
      return (await workbench.all(defined({ principal, request }))) === true;
    } catch (error) {
      this.logger.error(
        '"workbench.all" failed; the caller sees its own tools.',
        thrownText(error),
      );
      return false;
    }
  }

  private async listed({ tool, ...why }: ExplainedTool): Promise<ListedTool> {
    const { definition, kind, source, origin, group, toolkit, traits } = tool;
    const { name, title, description, input_schema } = definition;
    const text = JSON.stringify({ name, description, input_schema });
    return defined({
      ...{ name, title, description, kind, source, origin, group, toolkit: toolkit?.name, traits },
      permissions: why.permissions.map(({ from, permission }) => ({
        from,
        level: typeof permission === 'function' ? ('function' as const) : permission,
      })),
      tokens: await this.counter.countText(text),
      warnings: why.warnings,
      withheld: why.withheld,
    });
  }
}
