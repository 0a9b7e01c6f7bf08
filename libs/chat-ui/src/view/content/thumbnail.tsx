import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameOf } from '../../state';
import type { Attachment } from '../../wire';
import { Icon, useTexts } from '../base';

/** Pictures of dots only: an SVG could bring scripts and addresses with it. */
const DRAWN: readonly unknown[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const WIDEST = 320;
const HIGHEST = 240;

export function isDrawn({ mediaType, data }: Attachment): boolean {
  return data !== undefined && DRAWN.includes(mediaType);
}

/**
 * A picture from its bytes. It is painted, not loaded: so it needs no `img-src` in the page's policy,
 * and no address that could lead elsewhere.
 */
export function Thumbnail({ picture }: { readonly picture: Attachment }) {
  const texts = useTexts();
  const { data = '', mediaType = '' } = picture;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useLayoutEffect(() => {
    let isGone = false;
    setBroken(false);
    bitmapOf(data, mediaType).then(
      (bitmap) => {
        if (canvas.current && !isGone) paint(canvas.current, bitmap);
        bitmap.close();
      },
      () => {
        if (!isGone) setBroken(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [data, mediaType]);
  if (isBroken) return <Icon name="clip" />;
  return <canvas ref={canvas} class="thumbnail" role="img" aria-label={nameOf(picture, texts)} />;
}

async function bitmapOf(data: string, type: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type }));
}

function paint(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  const scale = Math.min(1, WIDEST / bitmap.width, HIGHEST / bitmap.height);
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
}
