import type { ChatStore, Toast } from '../state';

const TOAST_MS = 8_000;
const MOST = 4;

/** The notifications of the page's tools; each goes away by itself. */
export class Toasts {
  private lastKey = 0;

  constructor(private readonly store: ChatStore) {}

  show(toast: Omit<Toast, 'key'>): void {
    const key = ++this.lastKey;
    this.store.update(({ toasts }) => ({ toasts: [...toasts, { ...toast, key }].slice(-MOST) }));
    setTimeout(() => this.dismiss(key), TOAST_MS);
  }

  dismiss(key: number): void {
    this.store.update(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.key !== key) }));
  }
}
