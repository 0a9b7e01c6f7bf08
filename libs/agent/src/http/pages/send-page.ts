import { randomBytes } from 'node:crypto';
import { capitalised } from '../../internal';
import { readUiAsset, type UiAssetName } from '../../ui';
import { uiContentSecurityPolicy, type UiPageOptions } from '../../ui/page';
import type { Exchange } from '../endpoint';
import type { AgentHttpOptions } from '../options';
import { headerOf, nodeRequest } from '../wire';

/** Headers of every page and script. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Answers with a page that may run its own scripts alone. */
export function sendPage(
  { request, response }: Exchange,
  page: (options: UiPageOptions) => string,
  {
    options: { name, ui = {} },
    folder,
    depth = 0,
  }: {
    readonly options: Pick<AgentHttpOptions, 'name' | 'ui'>;
    /** The folder of the scripts, beside the agent's endpoints. */
    readonly folder: 'ui' | 'workbench';
    /** How many levels the page is below the endpoints; 0 by default. */
    readonly depth?: number;
  },
): void {
  const nonce = randomBytes(16).toString('base64');
  const headers = {
    ...COMMON_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': uiContentSecurityPolicy(nonce),
    'cache-control': 'no-store',
  };
  // With a slash at the end of the address, relative links start one level deeper.
  const [path = ''] = (nodeRequest(request).url ?? '').split('?');
  const levels = path.endsWith('/') ? depth + 1 : depth;
  const endpoint = levels === 0 ? '.' : new Array(levels).fill('..').join('/');
  const assets = `${endpoint}/${folder}`;
  const content = page({ heading: capitalised(name), endpoint, assets, nonce, ...ui });
  response.send(200, headers, content);
}

/** Answers with a script, or with 304 if the browser has it. */
export async function sendAsset(name: UiAssetName, { request, response }: Exchange): Promise<void> {
  const { content, mediaType, tag } = await readUiAsset(name);
  const headers = { ...COMMON_HEADERS, 'cache-control': 'no-cache', etag: tag };
  if (headerOf(request, 'if-none-match') === tag) {
    response.send(304, headers);
    return;
  }
  response.send(200, { ...headers, 'content-type': mediaType }, content);
}
