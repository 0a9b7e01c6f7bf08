import { Inject, Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import {
  type ControllerExposure,
  type DiscoveredTool,
  EXPOSED_CONTROLLERS,
  SCAN_OPTIONS,
  type ScanOptions,
  ToolScanner,
} from '../../discovery';
import { ToolRegistry } from '../../registry';
import { BootReport, type Tool, ToolDeclarationError } from '../../tool';
import { GuardProbe } from '../enhancers';
import { PresetRules, ProviderInvoker } from '../provider';
import { RouteInvoker } from '../route';
import { reportDoubts } from './tool-doubts';

/** What to do about routes that are not served in this process. */
const INSTEAD = 'Set dispatch: { baseUrl } to call them elsewhere.';

/**
 * Fills the registry with the application's decorated methods, and stops a boot that cannot go
 * right.
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
export class ToolLoader implements OnModuleInit {
  private readonly logger = new Logger('Agent');
  private readonly loaded = new Map<unknown, Set<string>>();
  private loading: Promise<unknown> = Promise.resolve();
  private hasBooted = false;

  /** @internal */
  constructor(
    private readonly scanner: ToolScanner,
    private readonly providers: ProviderInvoker,
    private readonly routes: RouteInvoker,
    private readonly registry: ToolRegistry,
    private readonly guards: GuardProbe,
    private readonly report: BootReport,
    private readonly presets: PresetRules,
    @Optional() @Inject(SCAN_OPTIONS) private readonly scope: ScanOptions = {},
    @Optional()
    @Inject(EXPOSED_CONTROLLERS)
    private readonly exposed: readonly ControllerExposure[] = [],
  ) {}

  /** @throws ToolDeclarationError listing every declaration that is wrong @internal */
  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.hasBooted = true;
  }

  /**
   * Looks for tools again, after a module was loaded lazily, and adds those that are new. Routes of
   * such a module are none: Nest does not serve them.
   *
   * @returns how many were added
   * @throws ToolDeclarationError listing every declaration that is wrong; the others are added
   */
  async refresh(): Promise<number> {
    // One after the other: two scans at once would add the same tool twice.
    const result = this.loading.then(() => this.load());
    this.loading = result.catch(() => undefined);
    return result;
  }

  private async load(): Promise<number> {
    const { tools, problems } = await this.scanner.scan(this.scope, this.exposed);
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
        reportDoubts(this.report, tool, discovered);
      } catch (error) {
        errors.push(named(discovered, error));
      }
    }
    if (errors.length > 0) throw asOne(errors);
    return added;
  }

  /** `undefined` of a route that came with its controller and cannot be a tool. */
  private buildOrLeaveOut(discovered: DiscoveredTool): Tool | undefined {
    try {
      return this.build(discovered);
    } catch (error) {
      const isExpected = error instanceof ToolDeclarationError;
      if (discovered.mayBeLeftOut !== true || !isExpected) throw error;
      const { source } = discovered;
      const reason = error.message.replace(`${source}: `, '');
      this.report.add(source, `Left out of what exposeControllers exposes: ${reason}`);
      return undefined;
    }
  }

  private build(discovered: DiscoveredTool): Tool {
    return this.guards.withGuards(this.buildUnasked(discovered), discovered);
  }

  private buildUnasked(discovered: DiscoveredTool): Tool {
    switch (discovered.kind) {
      case 'provider':
        return this.providers.buildProviderTool(discovered);
      case 'route':
        return this.presets.complete(this.routes.buildRouteTool(discovered));
    }
  }

  private withoutUnreachable(tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
    const reason = this.routes.unavailability(this.hasBooted);
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
    const methods = this.loaded.get(host) ?? new Set<string>();
    this.loaded.set(host, methods.add(methodName));
  }
}

/** Whatever went wrong while a tool was built, its author has to know which one it was. */
function named({ source }: DiscoveredTool, error: unknown): Error {
  if (error instanceof ToolDeclarationError && error.message.includes(source)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ToolDeclarationError(`${source}: ${message}`, { cause: error });
}

function asOne(errors: readonly Error[]): Error {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  return new ToolDeclarationError(
    `${errors.length} tools are declared wrongly:\n${errors.map(({ message }) => `- ${message}`).join('\n')}`,
    { cause: new AggregateError(errors) },
  );
}
