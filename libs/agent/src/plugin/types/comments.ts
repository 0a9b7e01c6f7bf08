import * as ts from 'typescript';

/** What a doc comment says: its first paragraph, on one line. */
export function commentOf(
  symbol: ts.Symbol | undefined,
  checker: ts.TypeChecker,
): string | undefined {
  if (symbol === undefined) return undefined;
  return firstParagraph(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
}

/** The first paragraph of a text, on one line; `undefined` for an empty one. */
export function firstParagraph(text: string | undefined): string | undefined {
  const [paragraph = ''] = (text ?? '').trim().split(/\n[ \t]*\n/);
  const line = paragraph.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/** What follows `@deprecated`, or `true` for the tag alone; `undefined` without it. */
export function deprecationOf(node: ts.Node): string | true | undefined {
  const tag = ts.getJSDocDeprecatedTag(node);
  if (!tag) return undefined;
  return firstParagraph(ts.getTextOfJSDocComment(tag.comment)) ?? true;
}

/** What `@param` says of a parameter, or a comment beside it. */
export function parameterComment(parameter: ts.ParameterDeclaration): string | undefined {
  for (const tag of ts.getJSDocParameterTags(parameter)) {
    const text = ts.getTextOfJSDocComment(tag.comment);
    const told = firstParagraph(text?.replace(/^\s*-\s*/, ''));
    if (told !== undefined) return told;
  }
  return commentBeside(parameter);
}

/** The last block comment before a parameter's name: both forms of them. */
function commentBeside(parameter: ts.ParameterDeclaration): string | undefined {
  const text = parameter.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, parameter.getFullStart()) ?? [];
  const block = ranges.filter(({ kind }) => kind === ts.SyntaxKind.MultiLineCommentTrivia).at(-1);
  if (!block) return undefined;
  const inside = text.slice(block.pos, block.end).replace(/^\/\*+|\*+\/$/g, '');
  return firstParagraph(
    inside
      .split('\n')
      .map((line) => line.replace(/^\s*\*\s?/, ''))
      .join('\n'),
  );
}
