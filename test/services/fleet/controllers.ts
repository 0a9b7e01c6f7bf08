import { setTimeout as delay } from 'node:timers/promises';
import { Body, Controller, Get, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { AgentService, type ChatResult, defineTool, Tool } from 'nestjs-agent';
import { type Deed, tell } from './deed';
import { type LoggedIn, LoginGuard } from './login.guard';
import { gate } from './obedient.model';

const WRITE_MS = 150;

/** The tools. */
@Controller('deeds/:tag/:step')
@UseGuards(LoginGuard)
export class DeedsController {
  @Get()
  @Tool({ name: 'look', description: 'Looks' })
  look(@Param('tag') tag: string, @Param('step') step: string, @Req() request: LoggedIn): string {
    tell({ kind: 'looks', tag, step: Number(step), user: request.user?.id ?? '' });
    return 'seen';
  }

  @Put()
  @Tool({ name: 'put', description: 'Puts', idempotent: true })
  async put(
    @Param('tag') tag: string,
    @Param('step') step: string,
    @Req() { headers, user }: LoggedIn,
  ): Promise<string> {
    const key = headers['idempotency-key'] ?? '';
    tell({ kind: 'puts', tag, step: Number(step), user: user?.id ?? '', key });
    await delay(WRITE_MS);
    return 'put';
  }

  @Post()
  @Tool({ name: 'write', description: 'Writes' })
  write(
    @Param('tag') tag: string,
    @Param('step') step: string,
    @Req() request: LoggedIn,
  ): Promise<string> {
    return this.written({ tag, step: Number(step), user: request.user?.id ?? '' });
  }

  @Post('remove')
  @Tool({ name: 'remove', description: 'Removes', destructive: true })
  remove(
    @Param('tag') tag: string,
    @Param('step') step: string,
    @Req() request: LoggedIn,
  ): Promise<string> {
    return this.written({ tag, step: Number(step), user: request.user?.id ?? '' });
  }

  private async written(of: Omit<Deed, 'kind'>): Promise<string> {
    tell({ kind: 'writes', ...of });
    await delay(WRITE_MS);
    tell({ kind: 'wrote', ...of });
    return 'written';
  }
}

/** Calls of the agent by the application itself, with functions that exist only in this process. */
@Controller('own')
@UseGuards(LoginGuard)
export class OwnCallsController {
  constructor(private readonly agent: AgentService) {}

  @Post(':kind')
  chat(
    @Param('kind') kind: 'tools' | 'context',
    @Body() { message }: { readonly message: string },
    @Req() request: LoggedIn,
  ): Promise<ChatResult> {
    const own = defineTool({ name: 'own', description: 'Its own', execute: () => 'done' });
    const more = kind === 'tools' ? { tools: [own] } : { context: [new Date()] };
    return this.agent.chat({ message }, { principal: request.user?.id ?? '', request, ...more });
  }
}

@Controller('control')
export class ControlController {
  /** Resumes everything that waits in this process. */
  @Post('go')
  go(): void {
    gate.open();
  }
}
