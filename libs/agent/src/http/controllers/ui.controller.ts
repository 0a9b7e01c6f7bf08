import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Get, Inject, Injectable, Param, Req, Res } from '@nestjs/common';
import { isUiAsset, readUiAsset } from '../../ui/ui-assets';
import {
  chatPage,
  sidebarPage,
  uiContentSecurityPolicy,
  type UiPageOptions,
} from '../../ui/ui-page';
import { Undocumented } from '../documented.decorator';
import { requestError } from '../errors/error-status';
import { HTTP_OPTIONS } from '../http.constants';
import type { AgentHttpOptions } from '../http-options.interface';
import { headerOf, nodeRequest } from '../wire/node-http';
import { TakenResponse } from '../wire/taken-response';

/** The chat page, the sidebar example, and the scripts of both. */
@Injectable()
export class UiController {
  constructor(@Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions) {}

  @Get('ui')
  @Undocumented()
  page(@Req() request: unknown, @Res() response: unknown): void {
    this.send(response, chatPage, isFolder(request) ? ['..', '.'] : ['.', './ui']);
  }

  @Get('ui/sidebar')
  @Undocumented()
  sidebar(@Req() request: unknown, @Res() response: unknown): void {
    this.send(response, sidebarPage, isFolder(request) ? ['../..', '..'] : ['..', '.']);
  }

  @Get('ui/:file')
  @Undocumented()
  async asset(
    @Param('file') name: string,
    @Req() request: unknown,
    @Res() response: unknown,
  ): Promise<void> {
    if (!isUiAsset(name)) throw requestError(404, 'not_found', 'There is no such file.');
    const { content, mediaType, tag } = await readUiAsset(name);
    const headers = { ...COMMON_HEADERS, 'cache-control': 'no-cache', etag: tag };
    if (headerOf(request, 'if-none-match') === tag) {
      reply(response, 304, headers);
      return;
    }
    reply(response, 200, { ...headers, 'content-type': mediaType }, content);
  }

  private send(
    response: unknown,
    page: (options: UiPageOptions) => string,
    [endpoint = '', assets = '']: readonly string[],
  ): void {
    const nonce = randomBytes(16).toString('base64');
    const { name, ui = {} } = this.options;
    const headers = {
      ...COMMON_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': uiContentSecurityPolicy(nonce),
      'cache-control': 'no-store',
    };
    reply(
      response,
      200,
      headers,
      page({ heading: capitalised(name), endpoint, assets, nonce, ...ui }),
    );
  }
}

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Past the application's interceptors, which may wrap what a page must not be wrapped in. */
function reply(
  response: unknown,
  status: number,
  headers: OutgoingHttpHeaders,
  content?: string,
): void {
  const taken = new TakenResponse(response);
  taken.head(status, {
    ...headers,
    ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
  });
  taken.end(content);
}

/** Whether the address ends with a slash, so that relative links start one level deeper. */
function isFolder(request: unknown): boolean {
  const [path = ''] = (nodeRequest(request).url ?? '').split('?');
  return path.endsWith('/');
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
