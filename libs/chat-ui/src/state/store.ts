import { EMPTY_CHAT, type ChatState } from './chat-state';

/** Holds what the chat shows and tells who watches, at most once per frame of the screen. */
export class ChatStore {
  private current = EMPTY_CHAT;
  private isQueued = false;
  private readonly watchers = new Set<() => void>();

  get state(): ChatState {
    return this.current;
  }

  update(change: Partial<ChatState> | ((state: ChatState) => Partial<ChatState>)): void {
    const changed = typeof change === 'function' ? change(this.current) : change;
    this.current = { ...this.current, ...changed };
    if (this.isQueued) return;
    this.isQueued = true;
    // A hidden tab paints no frames, so a timer stands by.
    const timer = setTimeout(() => this.tell(), 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      this.tell();
    });
  }

  /** Answers a function that stops watching. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private tell(): void {
    if (!this.isQueued) return;
    this.isQueued = false;
    for (const watcher of this.watchers) watcher();
  }
}
