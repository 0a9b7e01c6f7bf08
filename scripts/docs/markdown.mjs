const FENCE = /^ {0,3}(?:```|~~~)/;
const LINK = /\]\(\s*<?(?<target>[^\s<>()]+(?:\([^\s()]*\))?)>?(?:\s+"[^"]*")?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s+<?(?<target>[^\s<>]+)/;
const HEADING = /^ {0,3}#{1,6}\s+(?<text>.*?)\s*#*\s*$/;

/** The links and pictures of a document outside code, with their lines. */
export function linksOf(markdown) {
  return textLinesOf(markdown).flatMap(({ line, text }) => {
    const prose = text.replace(/(`+)[^`]+\1/g, '');
    const definition = DEFINITION.exec(prose);
    const found = definition === null ? [...prose.matchAll(LINK)] : [definition];
    return found.map(({ groups }) => ({ line, target: groups.target }));
  });
}

/** The valid fragments of links: the headings, in GitHub's form. */
export function anchorsOf(markdown) {
  const counts = new Map();
  const anchors = textLinesOf(markdown).flatMap(({ text }) => {
    const heading = HEADING.exec(text)?.groups.text;
    if (heading === undefined) return [];
    const anchor = anchorOf(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return [count === 0 ? anchor : `${anchor}-${count}`];
  });
  return new Set(anchors);
}

export function anchorOf(heading) {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** The lines outside of code blocks. */
function textLinesOf(markdown) {
  let isCode = false;
  return markdown.split('\n').flatMap((text, index) => {
    if (FENCE.test(text)) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [] : [{ line: index + 1, text }];
  });
}
