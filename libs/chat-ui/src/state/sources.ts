import type { Source } from './chat-state';

/** The sources with one more: each page once, and nothing but the web. */
export function withSource(
  sources: readonly Source[] | undefined = [],
  { url, title = '' }: { readonly url: string; readonly title?: string },
): readonly Source[] {
  const address = webAddress(url);
  if (address === undefined) return sources;
  const { href, host } = address;
  const words = title.trim();
  const source: Source = { url: href, host, ...(words !== '' && { title: words }) };
  const known = sources.findIndex((each) => each.url === href);
  if (known < 0) return [...sources, source];
  return sources.map((each, index) => (index === known ? { ...source, ...each } : each));
}

/** A model may name any text as an address, `javascript:` included. */
export function webAddress(text: string): URL | undefined {
  try {
    const address = new URL(text);
    return /^https?:$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}
