import type { BrowserTool } from '../../public/agent-chat.mjs';
import { sanitiseSvg } from './sanitise-svg';

export interface Drawing {
  readonly svg: string;
  readonly title: string;
}

/** Draws a picture into the conversation. The card of its call shows it, cleaned again. */
export function drawSvgTool(drawn: (drawing: Drawing) => void): BrowserTool<Drawing> {
  return {
    name: 'draw_svg',
    description:
      'Draw a picture, chart or diagram for the user as SVG. Shapes, text, gradients and inline presentation attributes only: no scripts, styles, links or images',
    input_schema: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'What the picture shows, for who cannot see it' },
        svg: { type: 'string', description: 'The <svg> element, with a viewBox' },
      },
      required: ['title', 'svg'],
      additionalProperties: false,
    },
    run: ({ svg, title }) => {
      if (sanitiseSvg(svg, title) === undefined) {
        throw new Error(
          'That is no SVG that can be shown: send one <svg> element of moderate size with shapes in it.',
        );
      }
      drawn({ svg, title });
      return 'The picture is shown.';
    },
  };
}
