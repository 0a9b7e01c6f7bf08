/** Each opening releases those that wait at that moment. */
export class Gate {
  private readonly waiting = new Set<() => void>();

  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.add(resolve);
      signal?.addEventListener('abort', () => reject(new Error('Aborted.')), { once: true });
    });
  }

  open(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
