import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { ToolRegistry } from '../../registry';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** Changes within this time are one notification. */
const COALESCE_MS = 250;

/** Tells listeners that the list of tools has changed. */
@Injectable()
export class ListChanges implements OnModuleDestroy {
  private readonly listeners = new Set<() => void>();
  private readonly subscription: Subscription | undefined;
  private pending: NodeJS.Timeout | undefined;

  constructor(registry: ToolRegistry, @Inject(MCP_SETTINGS) settings: McpServerSettings) {
    this.subscription = settings.listChanged
      ? registry.changes.subscribe(() => this.changed())
      : undefined;
  }

  onModuleDestroy(): void {
    this.subscription?.unsubscribe();
    clearTimeout(this.pending);
  }

  /** The returned function stops listening. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private changed(): void {
    if (this.listeners.size === 0) return;
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      for (const listener of [...this.listeners]) listener();
    }, COALESCE_MS).unref();
  }
}
