import { Body, Controller, Get, Param, Post, Redirect, Req, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import type { RequestOfUser } from '../start/header.guard';

@Controller('echo')
export class EchoController {
  @Tool({ description: 'Say what the handler sees of the request' })
  @Get()
  headers(@Req() request: RequestOfUser & { readonly ip: string; readonly url: string }) {
    return { headers: request.headers, ip: request.ip, url: request.url };
  }

  @Tool({ description: 'Go to the log-in page' })
  @Get('moved')
  @Redirect('/login?from=echo')
  moved(): void {}

  @Tool({ description: 'Do nothing', permission: 'allow' })
  @Post('nothing')
  nothing(): void {}

  @Tool({ description: 'Only for others' })
  @UseGuards({ canActivate: () => false })
  @Get('forbidden')
  forbidden(): void {}

  // #region clash
  @Tool({ name: 'rename_file', description: 'Rename a file', permission: 'allow' })
  @Post(':name')
  rename(@Param('name') name: string, @Body('name') newName: string) {
    return { name, newName };
  }
  // #endregion clash
}
