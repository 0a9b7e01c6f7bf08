import { currentTurn, openApprovals, type ChatState } from '../../state';
import { filled } from '../../texts';
import { title } from '../content';

/** The log is read out when an answer is complete; this is read out meanwhile. */
export function announcementOf(state: ChatState): string {
  const turn = currentTurn(state);
  if (turn === undefined) return '';
  const { news } = state.texts;
  const [waiting, ...more] = openApprovals(turn);
  if (waiting) {
    const { name, agent } = waiting;
    const words =
      agent === undefined
        ? filled(news.approval, { tool: title(name) })
        : filled(news.askedApproval, { agent: title(agent), tool: title(name) });
    // Only a changed text is read out: the next approval may be of the same tool.
    return words + '\u00a0'.repeat(more.length);
  }
  if (state.connection === 'idle') return turn.parts.length > 0 ? news.complete : '';
  if (turn.isUploading && turn.runId === undefined) return news.uploading;
  const last = turn.parts.at(-1);
  if (last?.type === 'tool' && last.outcome === undefined)
    return filled(news.running, { tool: title(last.name) });
  return news.working;
}
