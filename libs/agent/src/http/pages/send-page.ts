import { randomBytes } from 'node:crypto';
import { capitalised } from '../../internal';
import { uiContentSecurityPolicy, type UiPageOptions } from '../../ui/page';
import type { AgentHttpOptions } from '../options';
import { nodeRequest, type TakenResponse } from '../wire';
import { COMMON_HEADERS } from './common-headers';

/** Answers with a page that may run its own scripts alone. */
export function sendPage(
  response: TakenResponse,
  page: (options: UiPageOptions) => string,
  {
    options: { name, ui = {} },
    endpoint,
    assets,
  }: {
    readonly options: Pick<AgentHttpOptions, 'name' | 'ui'>;
    /** The address of the agent's endpoints, relative to the page's. */
    readonly endpoint: string;
    /** The folder of the scripts, relative to the page's address. */
    readonly assets: string;
  },
): void {
  const nonce = randomBytes(16).toString('base64');
  const headers = {
    ...COMMON_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': uiContentSecurityPolicy(nonce),
    'cache-control': 'no-store',
  };
  const content = page({ heading: capitalised(name), endpoint, assets, nonce, ...ui });
  response.send(200, headers, content);
}

/** Whether the address ends with a slash, so that relative links start one level deeper. */
export function isFolder(request: unknown): boolean {
  const [path = ''] = (nodeRequest(request).url ?? '').split('?');
  return path.endsWith('/');
}
