import type { ResultContent } from '../message';

/**
 * A tool's outcome in the library's own terms. Return one where text, JSON and content blocks do
 * not say enough: an error that is no exception, or text beside a picture.
 *
 * @example
 * \@Injectable()
 * export class ChartTools {
 *   \@Tool({ description: 'Draw the sales of this year' })
 *   draw(): ToolResult {
 *     const data = Buffer.from('…').toString('base64');
 *     return new ToolResult([
 *       { type: 'text', text: 'The sales of this year:' },
 *       { type: 'image', mediaType: 'image/png', data },
 *     ]);
 *   }
 * }
 */
export class ToolResult {
  /**
   * An outcome as the model will read it.
   *
   * @param content text, or blocks of text, pictures and files; the latter have 4 MiB together at
   *   most, and those beyond it are left out with a notice
   * @param isError `true` where `content` says why there is no result; `false` by default
   */
  constructor(
    /** What the model reads. */
    readonly content: ResultContent,
    /** Whether `content` says why there is no result. */
    readonly isError = false,
  ) {}
}
