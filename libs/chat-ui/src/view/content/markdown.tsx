import type { Token, Tokens } from 'marked';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo, useTexts } from '../base';
import { CodeBlock } from './code-block';
import { blocksOf, renderBlock } from './render-markdown';

/** Text of the model's, as sanitised markdown; each paragraph in the direction of its language. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="markdown">
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
    const { table } = useTexts();
    const host = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => host.current?.replaceChildren(renderBlock(token, table)), [token, table]);
    return <div ref={host} dir="auto" />;
  },
  (before, after) => before.token.raw === after.token.raw,
);

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
