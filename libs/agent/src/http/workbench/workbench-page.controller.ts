import { Get, Inject, Injectable, Optional } from '@nestjs/common';
import { ASKED_GUARDS, type AskedGuards } from '../../run';
import { workbenchPage } from '../../ui/page';
import { Endpoint, type Exchange } from '../endpoint';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { sendAsset, sendPage } from '../pages';

/** The page of the workbench and its script, which hold no data. */
@Injectable()
export class WorkbenchPageController {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
    @Optional()
    @Inject(ASKED_GUARDS)
    private readonly guards?: AskedGuards,
  ) {}

  @Get('workbench')
  @Endpoint()
  async page(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    if (!this.isWithoutCookie()) await this.guards?.ask?.({ request });
    sendPage(exchange, workbenchPage, { options: this.options, folder: 'workbench' });
  }

  @Get('workbench/agent-workbench.js')
  @Endpoint({ isPublic: true })
  asset(exchange: Exchange): Promise<void> {
    return sendAsset('agent-workbench.js', exchange);
  }

  /**
   * Whether the page itself brings the headers of a log-in. A browser sends none of them with its
   * first request, so the guards would refuse every user.
   */
  private isWithoutCookie(): boolean {
    const { loginUrl, headersKey, script } = this.options.ui ?? {};
    return [loginUrl, headersKey, script].some((setting) => setting !== undefined);
  }
}
