import { Injectable, UseGuards } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { AdminGuard } from './admin.guard';

// #region tools
@Toolkit({ description: 'Accounts' })
@Injectable()
export class AccountTools {
  @Tool({ description: 'What the account holds, in euros', readOnly: true })
  balance(@ToolParam('currency', { enum: ['EUR'] }) currency: string, account: string) {
    return `${account}: 17 ${currency}`;
  }

  @Tool({ description: 'Send a mail', permission: 'ask' })
  send_mail(@ToolParam('to') to: string, @ToolParam('text') text: string) {
    return `Sent to ${to}: ${text}`;
  }

  @Tool({ description: 'Close an account', destructive: true })
  @UseGuards(AdminGuard) // the same guards as on a route
  close_account(@ToolParam('name') name: string) {
    return `The account of ${name} is closed.`;
  }
}
// #endregion tools
