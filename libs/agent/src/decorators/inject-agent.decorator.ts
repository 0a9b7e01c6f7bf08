import { Inject } from '@nestjs/common';

/**
 * The injection token of a further agent's `AgentService`.
 *
 * @param name the agent's name
 * @example
 * function supportOf(app: INestApplicationContext): AgentService {
 *   return app.get(getAgentToken('support'));
 * }
 */
export function getAgentToken(name: string): string {
  return `nestjs-agent:agent:${name}`;
}

/**
 * The injection token of a further agent's `SessionService`.
 *
 * @param name the agent's name
 * @example
 * function sessionsOf(app: INestApplicationContext): SessionService {
 *   return app.get(getSessionsToken('support'));
 * }
 */
export function getSessionsToken(name: string): string {
  return `nestjs-agent:sessions:${name}`;
}

/**
 * Injects a further agent's `AgentService`. That of the application's own agent is injected by type.
 *
 * @param name the agent's name
 * @example
 * \@Injectable()
 * export class Desk {
 *   constructor(@InjectAgent('support') private readonly agent: AgentService) {}
 * }
 */
export function InjectAgent(name: string): ReturnType<typeof Inject> {
  return Inject(getAgentToken(name));
}

/**
 * Injects a further agent's `SessionService`.
 *
 * @param name the agent's name
 * @example
 * \@Injectable()
 * export class Desk {
 *   constructor(@InjectSessions('support') private readonly sessions: SessionService) {}
 * }
 */
export function InjectSessions(name: string): ReturnType<typeof Inject> {
  return Inject(getSessionsToken(name));
}
