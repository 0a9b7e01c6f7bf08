import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import request from 'supertest';
import { ADAPTERS, httpApp } from './fixtures/http-app';
import { createAgentControllers } from './create-agent-controllers';
import { HELLO, ScriptedRun } from './fixtures/scripted-agent';

const calls: string[] = [];

/** As Nest's own documentation has it: it looks at the handler, and nowhere else. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    calls.push(context.getHandler().name);
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    if (roles === undefined) return true;
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return roles.includes(headers['x-role'] ?? '');
  }
}

/** Guards and their metadata in one decorator, as applications write it for their own routes. */
const Auth = (...roles: string[]) =>
  applyDecorators(SetMetadata('roles', roles), UseGuards(RolesGuard));

describe.each(ADAPTERS)('a role that a guard reads from the handler, on %s', (adapter) => {
  const agent = { start: () => Promise.resolve(ScriptedRun.of(HELLO)) };
  const chat = async (role: string, controllers: { decorators: ClassDecorator[] }) => {
    const app = await httpApp({ adapter, agent, controllers });
    const http = request(await app.getUrl());
    const { status } = await http.post('/agent/chat').set('x-role', role).send({ message: 'hi' });
    await app.close();
    return status;
  };

  beforeEach(() => calls.splice(0));

  it('rejects callers without it', async () => {
    expect(await chat('user', { decorators: [Auth('admin')] })).toBe(403);
  });

  it('admits callers with it, and runs the guard once', async () => {
    expect(await chat('admin', { decorators: [Auth('admin')] })).toBe(200);
    expect(calls).toEqual(['chat']);
  });

  it('does not reach the agent of another application', async () => {
    createAgentControllers({ path: 'agent', decorators: [Auth('admin')] });
    expect(await chat('user', { decorators: [UseGuards(RolesGuard)] })).toBe(200);
  });
});
