import { RPC, RpcError } from '../protocol';

/** Bounds the calls that a principal has at the same time. */
export class CallSlots {
  private readonly taken = new Map<string, number>();

  constructor(private readonly perPrincipal: number) {}

  /**
   * Takes a slot; the returned function gives it back.
   *
   * @throws RpcError with status 429
   */
  take(principal: string | undefined): () => void {
    const key = JSON.stringify(principal ?? null);
    const count = this.taken.get(key) ?? 0;
    if (count >= this.perPrincipal) {
      throw new RpcError(
        RPC.internalError,
        `Too many calls at the same time: at most ${this.perPrincipal}. Try again when one has ended.`,
        429,
      );
    }
    this.taken.set(key, count + 1);
    return () => {
      const left = (this.taken.get(key) ?? 1) - 1;
      if (left > 0) this.taken.set(key, left);
      else this.taken.delete(key);
    };
  }
}
