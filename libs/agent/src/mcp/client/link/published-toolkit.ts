import { shortHash, withFallback } from '../../../internal';
import type { ToolRegistry } from '../../../registry';
import type { Listing } from '../connection';
import type { ServerSettings } from '../options';
import { RemoteToolkitBuilder, type RemoteCaller } from '../tools';

const MAX_WARNINGS = 200;

/** A server's tools in the registry. */
export class PublishedToolkit {
  private readonly builder: RemoteToolkitBuilder;
  private readonly warned = new Set<string>();
  private digest: string | undefined;
  private own: ReadonlySet<string> = new Set();
  readonly isWanted: (name: string) => boolean;

  constructor(
    private readonly settings: ServerSettings,
    private readonly registry: ToolRegistry,
    call: RemoteCaller,
    mask: (text: string) => string,
    private readonly log: (problem: string) => void,
  ) {
    this.builder = new RemoteToolkitBuilder(settings, {
      call,
      isTaken: (name) => !this.own.has(name) && registry.find(name) !== undefined,
      mask,
      warn: (problem) => this.warn(problem),
    });
    this.isWanted = this.builder.choices.isWanted;
  }

  get names(): readonly string[] {
    return [...this.own];
  }

  /** Replaces all tools in one step; does nothing if the list is unchanged. */
  publish({ tools, isCut }: Listing, instructions: string | undefined): void {
    const digest = digestOf([tools, instructions]);
    if (digest !== '' && digest === this.digest) return;
    if (isCut) {
      this.warn(
        `There are more tools than the ${this.settings.maxTools} of "maxTools", or their list is too long; the rest is left out.`,
      );
    }
    this.warnOfMisspelled(tools);
    const toolkit = this.builder.build(tools, instructions);
    const definitions =
      this.digest === undefined
        ? this.registry.registerToolkit(toolkit)
        : this.registry.replaceToolkit(toolkit);
    this.own = new Set(definitions.map(({ name }) => name));
    this.digest = digest;
  }

  private warnOfMisspelled(tools: readonly unknown[]): void {
    const names = tools.map((tool) => (tool as { readonly name: string }).name);
    const unknown = this.builder.choices.unknownNames(names);
    if (unknown.length === 0) return;
    const list = unknown.map((name) => `"${name}"`).join(', ');
    this.warn(`The option "tools" names ${list}, but the server has no such tool.`);
  }

  /** Logs each problem once, up to a limit, since a server could produce new ones without end. */
  private warn(problem: string): void {
    if (this.warned.has(problem) || this.warned.size >= MAX_WARNINGS) return;
    this.warned.add(problem);
    this.log(problem);
  }
}

/** Empty for values that are nested too deeply to be compared. */
function digestOf(value: unknown): string {
  return withFallback(() => shortHash(JSON.stringify(value), 32), '');
}
