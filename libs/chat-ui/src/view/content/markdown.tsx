import type { Token, Tokens } from 'marked';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from '../base';
import { CodeBlock } from './code-block';
import { blocksOf, renderBlock } from './render-markdown';

/** Text of the model's, as sanitised markdown. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="markdown" dir="auto">
      {blocks.map((token, index) =>
        isCode(token) ? (
          <CodeBlock key={index} text={token.text} language={token.lang ?? ''} />
        ) : (
          <Block key={index} token={token} />
        ),
      )}
    </div>
  );
}

const Block = memo(
  ({ token }: { readonly token: Token }) => {
    const host = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => host.current?.replaceChildren(renderBlock(token)), [token]);
    return <div ref={host} />;
  },
  (before, after) => before.token.raw === after.token.raw,
);

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
