import type { Token, Tokens } from 'marked';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo, useTexts } from '../base';
import { CodeBlock } from './code-block';
import { blocksOf, htmlOf, renderBlock } from './render-markdown';

/** Text of the model's, as sanitised markdown; each paragraph in the direction of its language. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="markdown">
      {blocks.map((token, index) =>
        isCode(token) ? (
          <CodeBlock key={index} text={token.text} language={token.lang ?? ''} />
        ) : (
          <Block key={index} html={htmlOf(token)} />
        ),
      )}
    </div>
  );
}

/** Keyed by its HTML, because a link's address may be defined further below and arrive later. */
const Block = memo(({ html }: { readonly html: string }) => {
  const texts = useTexts();
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(renderBlock(html, texts)), [html, texts]);
  return <div ref={host} dir="auto" />;
});

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
