import type { ResultContent } from '../message';

/**
 * A tool's outcome in the library's own terms. Return one where text, JSON and content blocks do
 * not say enough: an error that is no exception, or text beside a picture.
 *
 * @example
 * return new ToolResult([{ type: 'text', text: 'The chart' }, { type: 'image', mediaType: 'image/png', data }]);
 */
export class ToolResult {
  constructor(
    readonly content: ResultContent,
    readonly isError = false,
  ) {}
}
