import { VERSION_NEUTRAL, type VersioningOptions, VersioningType } from '@nestjs/common';
import { withFallback } from '../../internal';
import type { RouteVersion } from './route-paths';

/** The parts of a request besides its path that select a version. */
interface VersionSelector {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

const NOTHING: VersionSelector = { headers: {}, query: {} };

/**
 * How to request a version, or `undefined` if a custom extractor does not tell. A custom extractor
 * is called with made-up requests until one yields the version.
 */
export function versionSelectorOf(
  versioning: VersioningOptions | undefined,
  version: RouteVersion | undefined,
): VersionSelector | undefined {
  if (!versioning || version === undefined || version === VERSION_NEUTRAL) return NOTHING;
  switch (versioning.type) {
    case VersioningType.URI:
      return NOTHING;
    case VersioningType.HEADER:
      return { headers: { [versioning.header.toLowerCase()]: version }, query: {} };
    case VersioningType.MEDIA_TYPE:
      return { headers: { accept: `application/json;${versioning.key}${version}` }, query: {} };
    case VersioningType.CUSTOM:
      return probeExtractor(versioning.extractor, version);
  }
}

/** The header that selects a version, in lower case, if one header serves all versions. */
export function versionHeaderOf(versioning: VersioningOptions | undefined): string | undefined {
  if (versioning?.type === VersioningType.HEADER) return versioning.header.toLowerCase();
  return versioning?.type === VersioningType.MEDIA_TYPE ? 'accept' : undefined;
}

type AskedNames = Readonly<Record<'headers' | 'query', Set<string>>>;

type Extractor = Extract<VersioningOptions, { type: VersioningType.CUSTOM }>['extractor'];

function probeExtractor(extractor: Extractor, version: string): VersionSelector | undefined {
  const asked = { headers: new Set<string>(), query: new Set<string>() };
  const yieldsVersion = (selector: VersionSelector): boolean =>
    withFallback(() => [extractor(madeUpRequest(selector, asked))].flat().includes(version), false);
  if (yieldsVersion(NOTHING)) return NOTHING;
  for (const text of notationsOf(version)) {
    for (const kind of ['headers', 'query'] as const) {
      for (const name of [...asked[kind]]) {
        const selector = { ...NOTHING, [kind]: { [name]: text } };
        if (yieldsVersion(selector)) return selector;
      }
    }
  }
  return undefined;
}

/**
 * The notations of a version in a header or a query: bare, as a parameter, in a vendor's media
 * type.
 */
function notationsOf(version: string): readonly string[] {
  return [
    version,
    `v${version}`,
    `application/json;v=${version}`,
    `application/json;version=${version}`,
    `application/vnd.api.v${version}+json`,
    `application/vnd.api-v${version}+json`,
    `application/vnd.api.${version}+json`,
  ];
}

/** A minimal request for an extractor; it records the headers and query keys that are read. */
function madeUpRequest(selector: VersionSelector, asked: AskedNames): unknown {
  const noting = (kind: 'headers' | 'query') =>
    new Proxy<Record<string, string>>(
      { ...selector[kind] },
      {
        get: (target, key) => {
          if (typeof key !== 'string') return undefined;
          const name = kind === 'headers' ? key.toLowerCase() : key;
          asked[kind].add(name);
          return Object.hasOwn(target, name) ? target[name] : undefined;
        },
      },
    );
  const headers = noting('headers');
  const query = noting('query');
  const header = (name: string) => headers[name];
  const search = new URLSearchParams(selector.query).toString();
  const url = search === '' ? '/' : `/?${search}`;
  const raw = { headers, url, method: 'GET' };
  return { ...raw, originalUrl: url, path: '/', params: {}, query, raw, get: header, header };
}
