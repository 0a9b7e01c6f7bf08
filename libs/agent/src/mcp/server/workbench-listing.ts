import { Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { defined } from '../../internal';
import { type OfferedEntry, type OfferSource, WorkbenchOffers } from '../../http';
import { ASKED_GUARDS, type AskedGuards } from '../../run';
import { McpPrompts } from '../prompts';
import type { McpCaller } from '../protocol';
import { McpResources } from '../resources';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** Shows the resources and prompts of one server on the workbench, to callers that the server admits. */
@Injectable()
export class WorkbenchListing implements OnModuleInit, OfferSource {
  constructor(
    private readonly resources: McpResources,
    private readonly prompts: McpPrompts,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
    @Inject(ASKED_GUARDS) private readonly guards: AskedGuards,
    @Optional() private readonly workbench?: WorkbenchOffers,
  ) {}

  get name(): string {
    return `/${this.settings.path}`;
  }

  onModuleInit(): void {
    this.workbench?.add(this);
  }

  async list(caller: Parameters<OfferSource['list']>[0]): Promise<readonly OfferedEntry[]> {
    if (!(await this.isAdmitted(caller.request))) return [];
    const asked: McpCaller = { ...caller, signal: new AbortController().signal };
    const [resources, templates, prompts] = await Promise.all([
      this.resources.list(asked),
      this.resources.templates(asked),
      this.prompts.list(asked),
    ]);
    return [
      ...resources.map((entry) => offered('resource', entry, { uri: entry.uri })),
      ...templates.map((entry) => offered('template', entry, { uri: entry.uriTemplate })),
      ...prompts.map((entry) =>
        offered('prompt', entry, { arguments: (entry.arguments ?? []).map(({ name }) => name) }),
      ),
    ];
  }

  private async isAdmitted(request: unknown): Promise<boolean> {
    try {
      await this.guards.ask?.({ request });
      return true;
    } catch {
      return false;
    }
  }
}

function offered(
  kind: OfferedEntry['kind'],
  { name, title, description }: Omit<OfferedEntry, 'kind' | 'uri' | 'arguments'>,
  own: Pick<OfferedEntry, 'uri' | 'arguments'>,
): OfferedEntry {
  return defined({ kind, name, title, description, ...own });
}
