import { framesOf, type UiChunk } from './ui-chunk';

type PartKind = 'text' | 'reasoning';
type ToolOutput = Extract<
  UiChunk,
  { type: 'tool-output-available' | 'tool-output-error' | 'tool-output-denied' }
>;

/**
 * The steps of a message, and the text or reasoning that is open in one. A step begins with its
 * first content, so that a run which fails before that has sent nothing.
 */
export class StepFrames {
  private isOpen = false;
  private isDue = false;
  /** Whether the last step ends with results that no step follows yet. */
  private endsWithResults = false;
  private part: { readonly kind: PartKind; readonly id: string } | undefined;
  private text = '';

  /** The last text, whole or so far. */
  get lastText(): string {
    return this.text;
  }

  /** The next content begins a step. */
  announce(): string {
    this.isDue = true;
    return this.close();
  }

  /** More of a text, or of the reasoning. */
  say(kind: PartKind, { delta, seq }: { readonly delta: string; readonly seq: number }): string {
    let frames = '';
    if (this.isDue || this.part?.kind !== kind) {
      frames = this.begin() + this.close();
      this.part = { kind, id: String(seq) };
      frames += framesOf({ type: `${kind}-start`, id: this.part.id });
      if (kind === 'text') this.text = '';
    }
    if (kind === 'text') this.text += delta;
    const { id } = this.part as { readonly id: string };
    return frames + framesOf({ type: `${kind}-delta`, id, delta });
  }

  /** Content of a step. */
  put(chunk: UiChunk): string {
    return this.begin() + this.add(chunk);
  }

  /** A chunk about an earlier part: it begins no step. */
  add(chunk: UiChunk): string {
    return this.close() + framesOf(chunk);
  }

  /** Voids the content of the open step: clients keep it, followed by a part that marks it as void. */
  discard(events: { readonly from: number; readonly to: number }): string {
    const isEmpty = this.isDue || !this.isOpen;
    const closed = this.announce();
    this.text = '';
    return isEmpty ? closed : closed + framesOf({ type: 'data-step-discarded', data: events });
  }

  /** The result of a call. Content after results begins another step, as clients expect. */
  settle(chunk: ToolOutput): string {
    this.isDue = true;
    this.endsWithResults = true;
    return this.add(chunk);
  }

  /** Ends the open text or reasoning. */
  close(): string {
    if (this.part === undefined) return '';
    const { kind, id } = this.part;
    this.part = undefined;
    return framesOf({ type: `${kind}-end`, id });
  }

  /**
   * Ends the open step.
   *
   * @param isOver whether the run is over: a last step with results alone would make clients send
   *   them once more
   */
  finish(isOver: boolean): string {
    const begun = isOver && this.endsWithResults ? this.begin() : '';
    const frames = this.close() + begun + (this.isOpen ? framesOf({ type: 'finish-step' }) : '');
    this.isOpen = false;
    return frames;
  }

  /** Begins the announced step, if there is one. */
  begin(): string {
    if (!this.isDue) return '';
    const closed = this.close() + (this.isOpen ? framesOf({ type: 'finish-step' }) : '');
    this.isDue = false;
    this.isOpen = true;
    this.endsWithResults = false;
    return closed + framesOf({ type: 'start-step' });
  }
}
