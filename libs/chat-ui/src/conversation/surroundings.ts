import type { ChatStore } from '../state/store';
import type { AgentApi } from '../wire/agent-api';
import type { ToolSummary } from '../wire/protocol';
import { problemOf } from './problem-of';
import { suggestedTools, suggestionOf } from './suggestions';

const HEALTH_MS = 60_000;

export interface SurroundingsOptions {
  readonly api: AgentApi;
  readonly store: ChatStore;
  readonly onRefused: (error: unknown) => void;
}

/** What depends on the endpoint and on who is logged in: the server's health and its tools. */
export class Surroundings {
  private timer: ReturnType<typeof setInterval> | undefined;
  private isQueued = false;
  private visit = 0;

  constructor(private readonly options: SurroundingsOptions) {}

  watch(): void {
    this.refresh();
    this.timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.checkHealth();
    }, HEALTH_MS);
  }

  unwatch(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Asks anew; once for many changes in a row. */
  refresh(): void {
    if (this.isQueued) return;
    this.isQueued = true;
    queueMicrotask(() => {
      this.isQueued = false;
      if (this.timer === undefined) return;
      void this.checkHealth();
      void this.loadTools();
    });
  }

  private async checkHealth(): Promise<void> {
    const health = await this.options.api.health().catch(() => 'unreachable' as const);
    this.options.store.update({ health });
  }

  private async loadTools(): Promise<void> {
    const { api, store, onRefused } = this.options;
    const visit = ++this.visit;
    try {
      const tools = await api.tools();
      if (visit !== this.visit) return;
      store.update({ tools, problem: undefined });
      await this.suggest(tools, visit);
    } catch (error) {
      // Other headers were set in the meantime: what the old ones met is no news.
      if (visit !== this.visit) return;
      onRefused(error);
      store.update({ tools: [], problem: problemOf(error) });
    }
  }

  private async suggest(tools: readonly ToolSummary[], visit: number): Promise<void> {
    const details = suggestedTools(tools).map(({ name }) => this.options.api.tool(name));
    const known = await Promise.allSettled(details);
    if (visit !== this.visit) return;
    this.options.store.update({
      suggestions: known.flatMap((each) =>
        each.status === 'fulfilled' ? [suggestionOf(each.value)] : [],
      ),
    });
  }
}
