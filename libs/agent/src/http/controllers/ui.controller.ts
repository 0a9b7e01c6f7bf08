import { randomBytes } from 'node:crypto';
import { Get, Injectable } from '@nestjs/common';
import {
  chatPage,
  isUiAsset,
  sidebarPage,
  uiContentSecurityPolicy,
  type UiPageOptions,
} from '../../ui/page';
import { readUiAsset } from '../../ui';
import { Undocumented } from '../answers';
import { Endpoint, type Exchange } from '../endpoint';
import { requestError } from '../errors';
import { headerOf, nodeRequest, type TakenResponse } from '../wire';
import { EndpointServices } from './endpoint-services';

/** The chat page, the sidebar example, and the scripts of both. */
@Injectable()
export class UiController {
  constructor(private readonly services: EndpointServices) {}

  @Get('ui')
  @Undocumented()
  @Endpoint({ isPublic: true })
  page({ request, response }: Exchange): void {
    this.send(response, chatPage, isFolder(request) ? ['..', '.'] : ['.', './ui']);
  }

  @Get('ui/sidebar')
  @Undocumented()
  @Endpoint({ isPublic: true })
  sidebar({ request, response }: Exchange): void {
    this.send(response, sidebarPage, isFolder(request) ? ['../..', '..'] : ['..', '.']);
  }

  @Get('ui/:file')
  @Undocumented()
  @Endpoint({ isPublic: true })
  async asset({ request, params, response }: Exchange): Promise<void> {
    const { file: name = '' } = params;
    if (!isUiAsset(name)) throw requestError(404, 'not_found', 'There is no such file.');
    const { content, mediaType, tag } = await readUiAsset(name);
    const headers = { ...COMMON_HEADERS, 'cache-control': 'no-cache', etag: tag };
    if (headerOf(request, 'if-none-match') === tag) {
      response.send(304, headers);
      return;
    }
    response.send(200, { ...headers, 'content-type': mediaType }, content);
  }

  private send(
    response: TakenResponse,
    page: (options: UiPageOptions) => string,
    [endpoint = '', assets = '']: readonly string[],
  ): void {
    const nonce = randomBytes(16).toString('base64');
    const { name, ui = {} } = this.services.options;
    const headers = {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': uiContentSecurityPolicy(nonce),
      'cache-control': 'no-store',
    };
    const content = page({ heading: capitalised(name), endpoint, assets, nonce, ...ui });
    response.send(200, headers, content);
  }
}

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Whether the address ends with a slash, so that relative links start one level deeper. */
function isFolder(request: unknown): boolean {
  const [path = ''] = (nodeRequest(request).url ?? '').split('?');
  return path.endsWith('/');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
