import { textMessage } from '../../message';
import type { SessionEntry } from '../../session';

export function said(text: string): SessionEntry {
  return { type: 'message', runId: 'run', message: textMessage('user', text) };
}

export function startOf(runId: string): SessionEntry {
  return { type: 'run.started', runId, startedAt: '2026-01-01T00:00:00.000Z' };
}

export function textOf(entry: SessionEntry): string {
  const [block] = entry.type === 'message' ? entry.message.content : [];
  return block?.type === 'text' ? block.text : '';
}
