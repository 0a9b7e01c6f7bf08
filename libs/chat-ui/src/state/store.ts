import { EMPTY_CHAT, type ChatState } from './chat-state';

type Change = Partial<ChatState> | ((state: ChatState) => Partial<ChatState>);

/** Holds the state, and notifies its watchers. */
export class ChatStore {
  private current = EMPTY_CHAT;
  private isQueued = false;
  private readonly watchers = new Set<() => void>();

  get state(): ChatState {
    return this.current;
  }

  /** Redraws before the next key or click is handled, however slow the machine is. */
  update(change: Change): void {
    this.take(change);
    this.tell();
  }

  /** For streamed events: redraws at most once per frame of the screen. */
  updateInFrame(change: Change): void {
    this.take(change);
    if (this.isQueued) return;
    this.isQueued = true;
    const show = (): void => {
      if (this.isQueued) this.tell();
    };
    // A hidden tab paints no frames, so a timer is the fallback.
    const timer = setTimeout(show, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      show();
    });
  }

  /** Answers a function that stops watching. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private take(change: Change): void {
    const changed = typeof change === 'function' ? change(this.current) : change;
    this.current = { ...this.current, ...changed };
  }

  private tell(): void {
    this.isQueued = false;
    for (const watcher of [...this.watchers]) watcher();
  }
}
