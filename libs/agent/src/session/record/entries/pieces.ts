import type { AgentEventBody, Message, ToolKind } from '../../../message';
import { countLengths, decodeLengths, encodeLength } from './lengths';

/** An event while the model speaks, before its answer is stored. */
export type PieceBody = Extract<
  AgentEventBody,
  { readonly type: 'step.started' | 'text.delta' | 'thinking.delta' | 'tool.input.delta' }
>;

/**
 * Pieces of one text that were told one after the other. The text is the message's own, cut again
 * by the lengths; only where the message does not have it to the letter, it stands beside them.
 */
export type StoredPieces = {
  /** How long each piece is; see `lengths.ts`. */
  readonly lengths: string;
  /** Their common text, where it cannot be cut from the message. */
  readonly text?: string;
} & (
  | {
      /** Text or thoughts of the model. */
      readonly of: 'text' | 'thinking';
    }
  | {
      /** The beginning of it all, which has no text. */
      readonly of: 'step';
      /** Counts the run's model calls from 1. */
      readonly step: number;
    }
  | {
      /** The arguments of a call, as the model wrote them. */
      readonly of: 'input';
      /** The call. */
      readonly callId: string;
      /** The tool's name. */
      readonly name: string;
      /** How the tool is carried out. */
      readonly kind: ToolKind;
    }
);

/** Pieces in the order they are told, and the text that each row of them says. */
interface Row {
  readonly first: PieceBody;
  lengths: string;
  text: string;
}

/** Gathers the pieces of one model call while they are told. */
export class GatheredPieces {
  private readonly rows: Row[] = [];
  count = 0;
  /** Whether there is more than the beginning of a step. */
  hasText = false;

  add(piece: PieceBody): void {
    this.count += 1;
    const delta = textIn(piece);
    this.hasText ||= piece.type !== 'step.started';
    let row = this.rows.at(-1);
    if (row === undefined || !isSameText(row.first, piece)) {
      row = { first: piece, lengths: '', text: '' };
      this.rows.push(row);
    }
    row.lengths += encodeLength(delta.length);
    row.text += delta;
  }

  /** The pieces as they are stored beside the message that they belong to. */
  beside(message: Message): readonly StoredPieces[] {
    const cuttable = new Set(
      [...this.texts()].filter(([key, text]) => text === textFor(key, message)).map(([key]) => key),
    );
    return this.rows.map(({ first, lengths, text }) => ({
      ...ownerOf(first),
      lengths,
      ...(!cuttable.has(keyOf(first)) && { text }),
    }));
  }

  /** The text and thoughts so far. A call whose arguments are not whole is no call. */
  message(): Message {
    const said: { type: 'text' | 'reasoning'; text: string }[] = [];
    for (const { first, text } of this.rows) {
      if (first.type !== 'text.delta' && first.type !== 'thinking.delta') continue;
      const type = first.type === 'text.delta' ? 'text' : 'reasoning';
      const last = said.at(-1);
      if (last?.type === type) last.text += text;
      else said.push({ type, text });
    }
    const content = said.filter(({ text }) => text !== '');
    return { role: 'assistant', content, partial: true };
  }

  private texts(): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const { first, text } of this.rows) {
      const key = keyOf(first);
      texts.set(key, (texts.get(key) ?? '') + text);
    }
    return texts;
  }
}

/** How many pieces there are. */
export function countPieces(pieces: readonly StoredPieces[]): number {
  return pieces.reduce((sum, { lengths }) => sum + countLengths(lengths), 0);
}

/** The pieces again, as they were told. */
export function piecesOf(pieces: readonly StoredPieces[], message: Message): readonly PieceBody[] {
  const places = new Map<string, number>();
  const bodies: PieceBody[] = [];
  for (const { lengths, text, ...owner } of pieces) {
    const body = bodyOf(owner);
    const key = keyOf(body);
    const source = text ?? textFor(key, message);
    let place = text === undefined ? (places.get(key) ?? 0) : 0;
    for (const length of decodeLengths(lengths)) {
      bodies.push(saying(body, source.slice(place, place + length)));
      place += length;
    }
    if (text === undefined) places.set(key, place);
  }
  return bodies;
}

type Owner = StoredPieces extends infer Pieces
  ? Pieces extends StoredPieces
    ? Omit<Pieces, 'lengths' | 'text'>
    : never
  : never;

function ownerOf(piece: PieceBody): Owner {
  switch (piece.type) {
    case 'step.started':
      return { of: 'step', step: piece.step };
    case 'text.delta':
      return { of: 'text' };
    case 'thinking.delta':
      return { of: 'thinking' };
    case 'tool.input.delta':
      return { of: 'input', callId: piece.callId, name: piece.name, kind: piece.kind };
  }
}

function bodyOf(owner: Owner): PieceBody {
  switch (owner.of) {
    case 'step':
      return { type: 'step.started', step: owner.step };
    case 'text':
      return { type: 'text.delta', delta: '' };
    case 'thinking':
      return { type: 'thinking.delta', delta: '' };
    case 'input': {
      const { callId, name, kind } = owner;
      return { type: 'tool.input.delta', callId, name, kind, delta: '' };
    }
  }
}

export function textIn(piece: PieceBody): string {
  return piece.type === 'step.started' ? '' : piece.delta;
}

/** The piece with other words. */
export function saying(piece: PieceBody, delta: string): PieceBody {
  return piece.type === 'step.started' ? piece : { ...piece, delta };
}

/** Names the text that a piece is one of; a call's id is no such name. */
function keyOf(piece: PieceBody): string {
  return piece.type === 'tool.input.delta' ? `call ${piece.callId}` : piece.type;
}

/** Whether a piece goes on with the same text. */
export function isSameText(piece: PieceBody, next: PieceBody): boolean {
  return piece.type !== 'step.started' && keyOf(piece) === keyOf(next);
}

function textFor(key: string, { content }: Message): string {
  return content
    .map((block) => {
      switch (block.type) {
        case 'text':
          return key === 'text.delta' ? block.text : '';
        case 'reasoning':
          return key === 'thinking.delta' ? block.text : '';
        case 'tool_use':
          return key === `call ${block.id}` ? JSON.stringify(block.input) : '';
        default:
          return '';
      }
    })
    .join('');
}
