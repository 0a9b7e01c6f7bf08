import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import {
  type ControllerExposure,
  type DiscoveredTool,
  EXPOSED_CONTROLLERS,
  SCAN_OPTIONS,
  type ScanOptions,
  ToolScanner,
} from '../../discovery';
import { getOrAdd } from '../../internal';
import { ToolRegistry } from '../../registry';
import { BootReport, type Tool, ToolDeclarationError } from '../../tool';
import { allOf, named } from './declaration-problems';
import { ToolBuilder } from './tool.builder';
import { reportWarnings } from './tool-warnings';

/** The remedy for routes that are not served in this process. */
const INSTEAD = 'Set dispatch: { baseUrl } to call them elsewhere.';
const NO_TOOLS =
  'No tools were found. Put @Tool() on methods of providers and controllers whose modules are imported, or name controllers under exposeControllers.';

/**
 * Registers the application's decorated methods; stops the boot on wrong declarations.
 *
 * @see https://docs.nestjs.com/fundamentals/lazy-loading-modules
 * @example
 * \@Injectable()
 * export class ReportsLoader {
 *   constructor(
 *     private readonly modules: LazyModuleLoader,
 *     private readonly tools: ToolLoader,
 *   ) {}
 *
 *   async load(): Promise<void> {
 *     await this.modules.load(() => ReportsModule);
 *     await this.tools.refresh();
 *   }
 * }
 */
@Injectable()
export class ToolLoader implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Agent');
  private readonly loaded = new Map<unknown, Set<string>>();
  private loading: Promise<unknown> = Promise.resolve();
  private hasBooted = false;

  /** @internal */
  constructor(
    private readonly scanner: ToolScanner,
    private readonly builder: ToolBuilder,
    private readonly registry: ToolRegistry,
    private readonly report: BootReport,
    @Optional() @Inject(SCAN_OPTIONS) private readonly scope: ScanOptions = {},
    @Optional()
    @Inject(EXPOSED_CONTROLLERS)
    private readonly exposed: readonly ControllerExposure[] = [],
  ) {}

  /** @throws ToolDeclarationError with all wrong declarations */
  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.hasBooted = true;
  }

  /** The application's own modules may have registered tools until now. */
  onApplicationBootstrap(): void {
    if (this.registry.list().length === 0) this.logger.log(NO_TOOLS);
  }

  /**
   * Scans for tools again after a module was loaded lazily, and adds new ones. Nest does not serve
   * routes of such modules, so they are no tools.
   *
   * @returns the number of added tools
   * @throws ToolDeclarationError with all wrong declarations; the others are added
   */
  async refresh(): Promise<number> {
    // Serialized: concurrent scans would add the same tool twice.
    const result = this.loading.then(() => this.load());
    this.loading = result.catch(() => undefined);
    return result;
  }

  private async load(): Promise<number> {
    const { tools, problems, warnings } = await this.scanner.scan(this.scope, this.exposed);
    for (const { source, warning } of warnings) this.report.add(source, warning);
    const found = tools.filter((tool) => !this.isLoaded(tool));
    const errors: Error[] = [...problems];
    let added = 0;
    for (const discovered of this.withoutUnreachable(found)) {
      try {
        const tool = this.buildOrLeaveOut(discovered);
        this.markLoaded(discovered);
        if (tool === undefined) continue;
        this.registry.add(tool);
        added += 1;
        reportWarnings(this.report, tool, discovered);
      } catch (error) {
        errors.push(named(discovered, error));
      }
    }
    if (errors.length > 0) throw allOf(errors, 'tools');
    return added;
  }

  /** `undefined` for a route that was exposed with its controller and cannot be a tool. */
  private buildOrLeaveOut(discovered: DiscoveredTool): Tool | undefined {
    try {
      return this.builder.build(discovered);
    } catch (error) {
      const isExpected = error instanceof ToolDeclarationError;
      if (discovered.mayBeLeftOut !== true || !isExpected) throw error;
      const { source } = discovered;
      const reason = error.message.replace(`${source}: `, '');
      this.report.add(source, `Left out of what exposeControllers exposes: ${reason}`);
      return undefined;
    }
  }

  private withoutUnreachable(tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
    const reason = this.builder.unavailability(this.hasBooted);
    if (reason === undefined) return tools;
    const routes = tools.filter(({ kind }) => kind === 'route');
    if (routes.length > 0) {
      const sources = routes.map(({ source }) => source).join(', ');
      this.logger.log(`${reason}, so these routes are no tools: ${sources}. ${INSTEAD}`);
    }
    for (const route of routes) this.markLoaded(route);
    return tools.filter(({ kind }) => kind !== 'route');
  }

  private isLoaded({ host, methodName }: DiscoveredTool): boolean {
    return this.loaded.get(host)?.has(methodName) ?? false;
  }

  private markLoaded({ host, methodName }: DiscoveredTool): void {
    getOrAdd(this.loaded, host, () => new Set<string>()).add(methodName);
  }
}
