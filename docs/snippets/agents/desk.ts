import { Injectable } from '@nestjs/common';
import {
  AgentService,
  InjectAgent,
  InjectSessions,
  SessionService,
  type ChatResult,
} from 'nestjs-agent';

// #region desk
@Injectable()
export class Desk {
  constructor(
    private readonly agent: AgentService, // the application's own
    @InjectAgent('support') private readonly support: AgentService,
    @InjectSessions('support') private readonly sessions: SessionService,
  ) {}

  async ask(message: string, principal: string): Promise<ChatResult> {
    return this.support.chat({ message }, { principal });
  }
  // #endregion desk

  async counts(principal: string): Promise<readonly number[]> {
    const own = await this.agent.tools({ principal });
    return [own.length, await this.sessions.count(principal)];
  }
}
