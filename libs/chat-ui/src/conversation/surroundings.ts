import type { ChatStore, Problem } from '../state';
import type { AgentApi, ToolSummary } from '../wire';
import { problemOf } from './problem-of';
import { suggestedTools, suggestionOf } from './suggestions';

const HEALTH_MS = 60_000;

/** Keeps the server's health and tools up to date; they depend on the endpoint and the user. */
export class Surroundings {
  private timer: ReturnType<typeof setInterval> | undefined;
  private isQueued = false;
  private visit = 0;
  private problem: Problem | undefined;

  constructor(
    private readonly api: AgentApi,
    private readonly store: ChatStore,
  ) {}

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

  /** Requests them again; once for many changes in a row. */
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
    const health = await this.api.health().catch(() => 'unreachable' as const);
    this.store.update({ health });
    const { problem, unopened } = this.store.state;
    if (health === 'unreachable' || problem?.code !== 'network' || unopened) return;
    // It can be reached again: with the tools, which may be missing, this problem goes.
    this.problem = problem;
    await this.loadTools();
  }

  private async loadTools(): Promise<void> {
    const visit = ++this.visit;
    try {
      const tools = await this.api.tools();
      if (visit !== this.visit) return;
      // A problem that another part reported stays.
      const isMine = this.store.state.problem === this.problem;
      this.store.update({ tools, ...(isMine && { problem: undefined }) });
      await this.suggest(tools, visit);
    } catch (error) {
      // Other headers were set in the meantime: a refusal of the old ones is outdated.
      if (visit !== this.visit) return;
      this.problem = problemOf(error, this.store.state.texts);
      this.store.update({ tools: [], problem: this.problem });
    }
  }

  private async suggest(tools: readonly ToolSummary[], visit: number): Promise<void> {
    const details = suggestedTools(tools).map(({ name }) => this.api.tool(name));
    const known = await Promise.allSettled(details);
    if (visit !== this.visit) return;
    this.store.update({
      suggestions: known.flatMap((each) =>
        each.status === 'fulfilled' ? [suggestionOf(each.value)] : [],
      ),
    });
  }
}
