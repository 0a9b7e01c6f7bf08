import { Inject, Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import {
  type DiscoveredTool,
  EXPOSED_CONTROLLERS,
  type ExposedController,
  SCAN_OPTIONS,
  type ScanOptions,
  ToolScanner,
} from '../discovery';
import { ToolRegistry } from '../registry';
import { type Tool, ToolDeclarationError } from '../tool';
import { withPresets } from './preset.tool';
import type { Presets } from './provider-options.interface';
import { PRESETS } from './provider.constants';
import { ProviderInvoker } from './provider.invoker';
import { RouteInvoker } from './route';

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

  /** @internal */
  constructor(
    private readonly scanner: ToolScanner,
    private readonly providers: ProviderInvoker,
    private readonly routes: RouteInvoker,
    private readonly registry: ToolRegistry,
    @Optional() @Inject(SCAN_OPTIONS) private readonly scope: ScanOptions = {},
    @Optional()
    @Inject(EXPOSED_CONTROLLERS)
    private readonly exposed: readonly ExposedController[] = [],
    @Optional() @Inject(PRESETS) private readonly presets: Presets = {},
  ) {}

  /** @throws ToolDeclarationError listing every declaration that is wrong @internal */
  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  /**
   * Looks for tools again, after a module was loaded lazily, and adds those that are new.
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
    const callable = this.withoutUnreachable(found);
    const errors: Error[] = [...problems];
    for (const discovered of callable) {
      try {
        this.registry.add(this.build(discovered));
        this.markLoaded(discovered);
      } catch (error) {
        errors.push(named(discovered, error));
      }
    }
    if (errors.length > 0) throw asOne(errors);
    return callable.length;
  }

  private build(discovered: DiscoveredTool): Tool {
    switch (discovered.kind) {
      case 'provider':
        return this.providers.buildProviderTool(discovered);
      case 'route':
        return withPresets(this.routes.buildRouteTool(discovered), this.presets);
    }
  }

  private withoutUnreachable(tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
    if (this.routes.isAvailable) return tools;
    const routes = tools.filter(({ kind }) => kind === 'route');
    if (routes.length > 0) {
      this.logger.log(
        `No HTTP here, so these routes are no tools: ${routes.map(({ source }) => source).join(', ')}. Set dispatch: { baseUrl } to call them elsewhere.`,
      );
    }
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
