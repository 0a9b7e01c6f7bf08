import { StringDecoder } from 'node:string_decoder';

const MAX_LINE_CHARS = 1_000;

/** Receives a line of text, and whether its end was dropped. */
export type LineReader = (line: string, isCut: boolean) => void;

/** Splits text into lines as it arrives; characters of a line beyond 1 000 are dropped. */
export class Lines {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private isCut = false;

  constructor(private readonly print: LineReader) {}

  readonly add = (chunk: Buffer): void => {
    const [first = '', ...others] = this.decoder.write(chunk).split('\n');
    this.extend(first);
    for (const part of others) {
      if (this.line.trim() !== '') this.print(this.line.trimEnd(), this.isCut);
      this.line = '';
      this.isCut = false;
      this.extend(part);
    }
  };

  private extend(text: string): void {
    const room = MAX_LINE_CHARS - this.line.length;
    this.line += text.slice(0, room);
    if (text.length > room) this.isCut = true;
  }
}
