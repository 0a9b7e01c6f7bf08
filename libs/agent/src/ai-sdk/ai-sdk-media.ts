import type { FileBlock, ImageBlock } from '../message';
import { mediaLabel, sourceOf } from '../model/history';
import type { AiSdkLanguageModel, Version } from './ai-sdk-language-model';

type SupportedUrls = Readonly<Record<string, RegExp[]>>;

/** Media besides text that a model reads, and their form. */
export interface Sight {
  readonly version: Version;
  readonly images: boolean;
  readonly files: boolean;
  readonly urls: SupportedUrls;
}

/** A part of a prompt; its form depends on the version. */
export type MediaPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file';
      readonly mediaType: string;
      readonly data: unknown;
      readonly filename?: string;
    };

/** The addresses that a model's provider reads; others are refused, and not fetched here. */
export async function supportedUrlsOf(model: AiSdkLanguageModel): Promise<SupportedUrls> {
  // Custom models may omit it.
  const { supportedUrls } = model as Partial<AiSdkLanguageModel>;
  return (await supportedUrls) ?? {};
}

/** A picture or file in the provider's form; its name if the provider does not support its kind. */
export function mediaPart(
  block: ImageBlock | FileBlock,
  { version, images, files, urls }: Sight,
): MediaPart {
  const isSeen = block.type === 'image' ? images : files;
  if (!isSeen) return { type: 'text', text: mediaLabel(block) };
  const source = sourceOf(block);
  const fallbackType = block.type === 'image' ? 'image/*' : 'application/pdf';
  const given = source.kind === 'data' ? source.mediaType : block.mediaType;
  const mediaType = given === undefined || given === '' ? fallbackType : given;
  const name = block.type === 'file' && block.name ? { filename: block.name } : {};
  if (source.kind === 'data') {
    const data = version === 'v4' ? { type: 'data', data: source.data } : source.data;
    return { type: 'file', mediaType, data, ...name };
  }
  if (source.kind === 'url' && isSupported(source.url, mediaType, urls)) {
    const url = new URL(source.url);
    return {
      type: 'file',
      mediaType,
      data: version === 'v4' ? { type: 'url', url } : url,
      ...name,
    };
  }
  return { type: 'text', text: mediaLabel(block) };
}

/** Media types may contain `*`, on both sides. */
function isSupported(url: string, mediaType: string, urls: SupportedUrls): boolean {
  return Object.entries(urls).some(([type, patterns]) => {
    const prefix = type.split('*', 1)[0] ?? '';
    const isOfType = prefix === '' || mediaType.startsWith(prefix);
    return isOfType && patterns.some((pattern) => pattern.test(url.toLowerCase()));
  });
}
