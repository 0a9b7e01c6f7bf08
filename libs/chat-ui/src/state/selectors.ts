import type { Texts } from '../texts';
import type { Attachment } from '../wire';
import { callsIn } from './calls';
import type { AgentTurn, ChatState, Said, ToolPart, UserTurn } from './chat-state';

/** The turn that a run is writing, or waits in. */
export function currentTurn({ turns }: ChatState): AgentTurn | undefined {
  const last = turns.at(-1);
  return last?.role === 'agent' ? last : undefined;
}

/** The last message, where it failed before a run began: no other place has it. */
export function unsent(state: ChatState): UserTurn | undefined {
  const answer = currentTurn(state);
  const message = state.turns.at(-2);
  const isUnsent = answer?.status === 'failed' && answer.runId === undefined;
  return isUnsent && message?.role === 'user' ? message : undefined;
}

/** Whether earlier messages can be replaced: not while an answer is in progress. */
export function mayReplace(state: ChatState): boolean {
  const isIdle = state.connection === 'idle' && !state.isLoading;
  return isIdle && currentTurn(state)?.status !== 'running';
}

/** The calls of a turn that wait for the user's consent, those of asked agents included. */
export function openApprovals(turn: AgentTurn | undefined): readonly ToolPart[] {
  return callsIn(turn?.parts ?? []).filter(isWaiting);
}

/** Whether the call itself waits for the user's consent. */
export function isWaiting({ approval, outcome }: ToolPart): boolean {
  return approval !== undefined && !approval.answer && !outcome;
}

export function saysNothing({ text, attachments = [] }: Said): boolean {
  return text.trim() === '' && attachments.length === 0;
}

/** The name of an attachment, or a word for it. */
export function nameOf({ type, name, url }: Attachment, texts: Texts): string {
  return name || url || (type === 'image' ? texts.picture : texts.file);
}

/** Bytes that are here; `undefined` where only the address is known. */
export function sizeOf({ data }: Attachment): number | undefined {
  return data === undefined ? undefined : Math.floor(data.replace(/=+$/, '').length * 0.75);
}
