import { relative } from 'node:path';
import ts from 'typescript';
import { root } from './module-reader';

/** An `@example` of a doc comment. */
export interface DocExample {
  /** `libs/agent/src/tool/errors/tool-errors.ts:8`: its file, and the line of its tag. */
  readonly place: string;
  readonly code: string;
}

const FENCE = /^```(?<language>\w*)\n(?<code>[^]*?)\n```$/;

/** The examples of a declaration and its members; those in another language (a shell's, say) apart. */
export function examplesOf(declaration: ts.Node): readonly DocExample[] {
  const file = declaration.getSourceFile();
  const tags = new Set<ts.JSDocTag>();
  const visit = (node: ts.Node): void => {
    for (const tag of ts.getJSDocTags(node)) if (tag.tagName.text === 'example') tags.add(tag);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return [...tags].flatMap((tag) => {
    const text = textOf(file.text.slice(tag.pos, tag.end));
    const { language = 'ts', code = text } = FENCE.exec(text)?.groups ?? {};
    if (language !== 'ts') return [];
    const line = file.getLineAndCharacterOfPosition(tag.pos).line + 1;
    return [{ place: `${relative(root, file.fileName)}:${line}`, code }];
  });
}

/** A tag's own text. The `@` of a decorator is escaped, or it would begin a tag of its own. */
function textOf(tag: string): string {
  return tag
    .replace(/^@example/, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .replaceAll('\\@', '@')
    .trim();
}
