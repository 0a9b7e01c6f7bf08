import { textMessage } from '../../message';
import type { RecordedEntry } from '../../session';

export function said(text: string): RecordedEntry {
  return { v: 1, type: 'message', runId: 'run', message: textMessage('user', text) };
}

export function startOf(runId: string): RecordedEntry {
  const startedAt = '2026-01-01T00:00:00.000Z';
  return { v: 1, seq: 1, type: 'run.started', runId, modelName: 'test', startedAt };
}

export function textOf(entry: RecordedEntry): string {
  const [block] = entry.type === 'message' ? entry.message.content : [];
  return block?.type === 'text' ? block.text : '';
}
