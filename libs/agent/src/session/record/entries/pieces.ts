import type { AgentEventBody, Message, ToolKind } from '../../../message';
import { countLengths, decodeLengths, encodeLength } from './lengths';

/** An event of an unfinished answer, before it is stored. */
export type PieceBody = Extract<
  AgentEventBody,
  { readonly type: 'step.started' | 'text.delta' | 'thinking.delta' | 'tool.input.delta' }
>;

/**
 * Consecutive pieces of one text. The text is cut from the message by the lengths; it is stored here
 * only if the message does not contain it exactly.
 */
export type StoredPieces = {
  /** The length of each piece; see `lengths.ts`. */
  readonly lengths: string;
  /** Their common text, if it cannot be cut from the message. */
  readonly text?: string;
} & (
  | {
      /** Text or reasoning of the model. */
      readonly of: 'text' | 'thinking';
    }
  | {
      /** The beginning of the step, without text. */
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
      /** How the tool is executed. */
      readonly kind: ToolKind;
    }
);

/** Consecutive pieces of one text, in order. */
interface Row {
  readonly first: PieceBody;
  lengths: string;
  text: string;
}

/** Collects the pieces of one model call while they are sent. */
export class GatheredPieces {
  private readonly rows: Row[] = [];
  count = 0;
  /** Whether there are pieces besides the beginning of a step. */
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

  /** The pieces in their stored form, next to their message. */
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

  /** The text and reasoning so far. Omits calls with incomplete arguments. */
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

export function countPieces(pieces: readonly StoredPieces[]): number {
  return pieces.reduce((sum, { lengths }) => sum + countLengths(lengths), 0);
}

/** Restores the pieces as they were sent. */
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

/** The piece with another text. */
export function saying(piece: PieceBody, delta: string): PieceBody {
  return piece.type === 'step.started' ? piece : { ...piece, delta };
}

/** The key of a piece's text; no call id can equal it. */
function keyOf(piece: PieceBody): string {
  return piece.type === 'tool.input.delta' ? `call ${piece.callId}` : piece.type;
}

/** Whether a piece continues the same text. */
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
