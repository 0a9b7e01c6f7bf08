import * as ts from 'typescript';
import { jsonIn } from '../../internal';
import type { Template, TemplateValue } from './template';

/** The text of a doc comment: its first paragraph, on one line. */
export function commentOf(
  symbol: ts.Symbol | undefined,
  checker: ts.TypeChecker,
): string | undefined {
  if (symbol === undefined) return undefined;
  const comment = firstParagraph(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
  return comment ?? symbol.declarations?.map(commentAfterCode).find((text) => text !== undefined);
}

/**
 * A doc comment with other code before it on its line, which TypeScript ignores:
 * `{ /** In cents. *\/ total: number }`.
 */
function commentAfterCode(node: ts.Node): string | undefined {
  const file = node.getSourceFile();
  const range = ts.getTrailingCommentRanges(file.text, node.getFullStart())?.at(-1);
  if (!range || !file.text.startsWith('/**', range.pos)) return undefined;
  // At the end of a line, a comment describes the code before it.
  if (file.text.slice(range.end, node.getStart(file)).includes('\n')) return undefined;
  return firstParagraph(insideOf(file.text, range).replace(/(^|\s)@\w[^]*/, ''));
}

/** The first paragraph of a text, on one line; `undefined` for an empty one. */
export function firstParagraph(text: string | undefined): string | undefined {
  const [paragraph = ''] = (text ?? '').trim().split(/\n[ \t]*\n/);
  const line = paragraph.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/** The text after `@deprecated`, or `true` for the tag alone; `undefined` without it. */
export function deprecationOf(node: ts.Node): string | true | undefined {
  const tag = ts.getJSDocDeprecatedTag(node);
  if (!tag) return undefined;
  return firstParagraph(ts.getTextOfJSDocComment(tag.comment)) ?? true;
}

/** The text of a parameter's `@param`, or of a comment beside it. */
export function parameterComment(parameter: ts.ParameterDeclaration): string | undefined {
  for (const tag of ts.getJSDocParameterTags(parameter)) {
    const text = ts.getTextOfJSDocComment(tag.comment);
    const comment = firstParagraph(text?.replace(/^\s*-\s*/, ''));
    if (comment !== undefined) return comment;
  }
  return commentBeside(parameter);
}

/**
 * The value that `@example` gives to a parameter or property; `undefined` without one, or if it
 * does not fit the type.
 */
export function exampleOf(node: ts.Node, { type, $of }: Template): TemplateValue {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'example');
  const text = ts.getTextOfJSDocComment(tag?.comment)?.trim();
  if (text === undefined || text === '') return undefined;
  const isText = [type].flat().includes('string') || $of === 'date';
  if (isText) return /^(['"`])([^]*)\1$/.exec(text)?.[2] ?? text;
  return jsonIn(text) as TemplateValue;
}

/** The last block comment before a parameter's name: both forms of them. */
function commentBeside(parameter: ts.ParameterDeclaration): string | undefined {
  const document = ts
    .getJSDocCommentsAndTags(parameter)
    .filter(ts.isJSDoc)
    .findLast(({ parent }) => (parent as ts.Node) === parameter);
  if (document) return firstParagraph(ts.getTextOfJSDocComment(document.comment));
  const text = parameter.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, parameter.getFullStart()) ?? [];
  const block = ranges.filter(({ kind }) => kind === ts.SyntaxKind.MultiLineCommentTrivia).at(-1);
  if (!block) return undefined;
  return firstParagraph(insideOf(text, block));
}

/** The text of a block comment, without the stars before its lines. */
function insideOf(text: string, { pos, end }: ts.CommentRange): string {
  return text.slice(pos + 2, end - 2).replace(/^[ \t]*\*[ \t]?/gm, '');
}
