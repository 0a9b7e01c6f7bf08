import { currentTurn, openApprovals, type ChatState } from '../../state';
import { TEXTS } from '../../texts';
import { title } from '../content';

/** The log is read out when an answer is complete; this is read out meanwhile. */
export function announcementOf(state: ChatState): string {
  const turn = currentTurn(state);
  if (turn === undefined) return '';
  const { news } = TEXTS;
  const [waiting] = openApprovals(turn);
  if (waiting) {
    const { name, agent } = waiting;
    return agent === undefined
      ? news.approval(title(name))
      : news.askedApproval(title(agent), title(name));
  }
  if (state.connection === 'idle') return turn.parts.length > 0 ? news.complete : '';
  if (turn.isUploading && turn.runId === undefined) return news.uploading;
  const last = turn.parts.at(-1);
  if (last?.type === 'tool' && last.outcome === undefined) return news.running(title(last.name));
  return news.working;
}
