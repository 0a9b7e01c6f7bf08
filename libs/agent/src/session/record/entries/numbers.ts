import { toolUsesOf, type Message } from '../../../message';
import { countPieces } from './pieces';
import { ofNewerRelease, type SessionEntry } from './session-entry';
import { countTold } from './told-events';

/**
 * The maximum of numbers sent before they are stored. After a crash, numbering continues above them,
 * so that no number is used for two events.
 */
export const UNSTORED_NUMBERS = 1_000;

/** The number of events of an entry; see `telling.ts`. Depends on the entry alone. */
export function numbersOf(entry: SessionEntry): number {
  switch (entry.type) {
    case 'message':
      if (entry.message.role !== 'assistant') return 0;
      return entry.pieces ? countPieces(entry.pieces) : 1;
    case 'step.finished':
      return (
        countPieces(entry.pieces ?? []) +
        besideText(entry.message) +
        1 +
        toolUsesOf(entry.message).length
      );
    case 'call.started':
      return entry.expiresAt === undefined ? 0 : 1;
    case 'action.answered':
      return entry.answer.type === 'approve' && entry.answer.input ? 1 : 0;
    case 'action.required':
      return entry.action.type === 'external' || entry.via !== undefined ? 0 : 1;
    case 'agent.told':
      return countTold(entry.told);
    case 'run.finished':
      return entry.failure ? 2 : 1;
    case 'run.started':
    case 'call.progressed':
    case 'call.settled':
    case 'run.parked':
    case 'compacted':
    case 'noticed':
    case 'step.discarded':
      return 1;
    case 'run.queued':
    case 'run.taken':
    case 'agent.spent':
    case 'run.resumed':
    case 'rewound':
    case 'groups.changed':
    case 'permission.remembered':
    case 'permission.revoked':
      return 0;
    default:
      return ofNewerRelease(entry, 1);
  }
}

function besideText({ content }: Message): number {
  return content.reduce((count, block) => {
    if (block.type === 'provider_tool') return count + (block.notice ? 2 : 1);
    return block.type === 'source' ? count + 1 : count;
  }, 0);
}
