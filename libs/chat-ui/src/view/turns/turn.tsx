import type { Conversation } from '../../conversation';
import type { Turn } from '../../state';
import { memo } from '../base';
import { AgentTurnView } from './agent-turn';
import { UserTurnView } from './user-turn';

export interface TurnProps<T extends Turn> {
  readonly turn: T;
  readonly isLast: boolean;
  /** Whether the message, or that which it answers, can be said anew now. */
  readonly mayReplace: boolean;
  /** Given, since a turn that took it from the chat's context would be drawn with every change. */
  readonly conversation: Conversation;
}

/** One turn of the conversation; it is drawn anew only when it changed. */
export const TurnView = memo(({ turn, ...rest }: TurnProps<Turn>) =>
  turn.role === 'user' ? (
    <UserTurnView turn={turn} {...rest} />
  ) : (
    <AgentTurnView turn={turn} {...rest} />
  ),
);
