import { Inject, Injectable } from '@nestjs/common';
import { auditTime, NEVER, type Observable, share } from 'rxjs';
import { ToolRegistry } from '../../registry';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';

/** Changes within this time are one notification. */
const COALESCE_MS = 250;

/** Tells listeners that the list of tools has changed. */
@Injectable()
export class ListChanges {
  private readonly changes: Observable<unknown>;

  constructor(registry: ToolRegistry, @Inject(MCP_SETTINGS) { listChanged }: McpServerSettings) {
    this.changes = listChanged ? registry.changes.pipe(auditTime(COALESCE_MS), share()) : NEVER;
  }

  /** The returned function stops listening. */
  listen(listener: () => void): () => void {
    const subscription = this.changes.subscribe(listener);
    return () => subscription.unsubscribe();
  }
}
