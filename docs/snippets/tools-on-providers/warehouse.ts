export class Warehouse {
  asked = 0;

  look(shelf: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    return Promise.resolve([`lamp on ${shelf}`]);
  }

  priceOf(product: string): Promise<number> {
    this.asked += 1;
    if (this.asked === 1) return Promise.reject(new Error('The supplier hung up.'));
    return Promise.resolve(product.length * 5);
  }
}
