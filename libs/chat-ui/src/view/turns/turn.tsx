import type { Conversation } from '../../conversation';
import type { Turn } from '../../state';
import { memo } from '../base';
import { AgentTurnView } from './agent-turn';
import { UserTurnView } from './user-turn';

export interface TurnProps<T extends Turn> {
  readonly turn: T;
  readonly isLast: boolean;
  /** Whether the message, or the one that it answers, can be replaced now. */
  readonly mayReplace: boolean;
  /** A property, because a turn that read it from the chat's context would render with every change. */
  readonly conversation: Conversation;
}

/** One turn of the conversation; rendered again only when it changed. */
export const TurnView = memo(({ turn, ...rest }: TurnProps<Turn>) =>
  turn.role === 'user' ? (
    <UserTurnView turn={turn} {...rest} />
  ) : (
    <AgentTurnView turn={turn} {...rest} />
  ),
);
