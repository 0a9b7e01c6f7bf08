import type { ResultContent } from '../message';

/**
 * A tool's explicit result. Return one if text, JSON and content blocks are not enough: an error
 * without an exception, or text beside a picture.
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
   * Creates a result for the model.
   *
   * @param content text, or blocks of text, pictures and files; pictures and files have 4 MiB
   *   together at most; further ones are omitted with a notice
   * @param isError `true` if `content` is an error message; `false` by default
   */
  constructor(
    /** The content for the model. */
    readonly content: ResultContent,
    /** Whether `content` is an error message. */
    readonly isError = false,
  ) {}
}
