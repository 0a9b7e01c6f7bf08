import { Get, Injectable } from '@nestjs/common';
import { chatPage, isUiAsset, sidebarPage } from '../../ui/page';
import { Endpoint, type Exchange } from '../endpoint';
import { requestError } from '../errors';
import { sendAsset, sendPage } from '../pages';
import { EndpointServices } from './endpoint-services';

/** The chat page, the sidebar example, and the scripts of both. */
@Injectable()
export class UiController {
  constructor(private readonly services: EndpointServices) {}

  @Get('ui')
  @Endpoint({ isPublic: true })
  page(exchange: Exchange): void {
    sendPage(exchange, chatPage, { options: this.services.options, folder: 'ui' });
  }

  @Get('ui/sidebar')
  @Endpoint({ isPublic: true })
  sidebar(exchange: Exchange): void {
    sendPage(exchange, sidebarPage, { options: this.services.options, folder: 'ui', depth: 1 });
  }

  @Get('ui/:file')
  @Endpoint({ isPublic: true })
  async asset(exchange: Exchange): Promise<void> {
    const { file: name = '' } = exchange.params;
    if (!isUiAsset(name)) throw requestError(404, 'not_found', 'There is no such file.');
    await sendAsset(name, exchange);
  }
}
