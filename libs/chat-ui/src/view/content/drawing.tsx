import { useId, useMemo } from 'preact/hooks';
import { sanitiseSvg } from '../../browser-tools';
import type { ToolPart } from '../../state';
import { useChat, useTexts } from '../base';
import { json } from './format';

/** A picture of `draw_svg`, sanitised again: its arguments always come from the model. */
export function Drawing({ part: { input } }: { readonly part: ToolPart }) {
  const { hasDrawings } = useChat();
  const { drawing } = useTexts();
  const scope = `${useId()}-`;
  const svg = useMemo(
    () =>
      hasDrawings && sanitiseSvg(input?.['svg'], json(input?.['title'] ?? '') || drawing, scope),
    [input, hasDrawings, drawing, scope],
  );
  if (!svg) return null;
  return <figure class="drawing" part="drawing" ref={(host) => host?.replaceChildren(svg)} />;
}
