/** Texts of at least this length are not counted: they cost no more than their bytes. */
const LONG_TEXT = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts the bytes of a JSON body without its long texts. Attachments are few, long texts; the same
 * bytes as small values take twenty times their size in memory and seconds to parse, before any
 * guard has run.
 */
export class StructureMeter {
  private bytes = 0;
  private isText = false;
  private isEscaped = false;
  private length = 0;

  /** @param limit bytes besides long texts */
  constructor(private readonly limit: number) {}

  /** Adds a chunk. Whether the body is still within the limit. */
  allows(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (this.isText) this.inText(byte);
      else this.outside(byte);
    }
    return this.bytes <= this.limit;
  }

  private outside(byte: number): void {
    this.bytes += 1;
    if (byte !== QUOTE) return;
    this.isText = true;
    this.length = 0;
  }

  private inText(byte: number): void {
    this.length += 1;
    if (this.length < LONG_TEXT) this.bytes += 1;
    else if (this.length === LONG_TEXT) this.bytes -= LONG_TEXT - 1;
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isText = false;
  }
}
