import {
  CanActivate,
  Controller,
  Delete,
  ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Param,
  Scope,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { APP_GUARD, REQUEST, Reflector } from '@nestjs/core';
import { AgentService, Tool, ToolCallFactory } from 'nestjs-agent';
import { ADAPTERS, Closers, type AgentApp } from './http/agent-app';

interface UserRequest {
  readonly headers: Record<string, string | undefined>;
  readonly params: Record<string, string>;
  user?: { id: string; roles?: readonly string[] };
}

const asked: string[] = [];
const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<UserRequest>();
const rolesOf = ({ user }: UserRequest) => (user?.id === 'root' ? ['admin'] : ['reader']);

/** Adds to the user, as authentication guards do, and records the handlers it was called for. */
@Injectable()
class RolesOfUserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    asked.push(`${context.getClass().name}.${context.getHandler().name}`);
    if (request.user) request.user = { ...request.user, roles: rolesOf(request) };
    return true;
  }
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.getAllAndOverride<string>('role', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!role || requestOf(context).user?.roles?.includes(role)) return true;
    throw new ForbiddenException(`Only for the role ${role}.`);
  }
}

/** Gets its request by injection only. */
@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: UserRequest) {}

  async canActivate(): Promise<boolean> {
    await Promise.resolve();
    return this.request.user?.id !== 'mallory';
  }
}

@Injectable()
class OwnReportGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return requestOf(context).params['id']!.startsWith('own');
  }
}

/** Redirects the client and never settles, as Passport's guards do. */
@Injectable()
class RedirectGuard implements CanActivate {
  canActivate(context: ExecutionContext): Promise<boolean> {
    const response = context.switchToHttp().getResponse<ServerResponse>();
    response.statusCode = 302;
    response.setHeader('location', 'https://accounts.example/login');
    response.end();
    return new Promise(() => undefined);
  }
}

@Controller('login')
class LoginController {
  @UseGuards(RedirectGuard)
  @Tool({ name: 'log_in', description: 'Log in at another service' })
  @Get()
  login(): string {
    return 'logged in';
  }
}

@Injectable()
class LoginTools {
  @UseGuards(RedirectGuard)
  @Tool({ description: 'Read the mails of another service' })
  read_mails(): string {
    return 'mails';
  }
}

const Role = (role: string) => SetMetadata('role', role);

const removed: string[] = [];

@Controller('reports')
@UseGuards(ScopedGuard)
class ReportsController {
  @Tool({ name: 'list_reports', description: 'List all reports' })
  @Get()
  list(): string[] {
    return ['r1'];
  }

  @Role('admin')
  @Tool({ name: 'delete_report', description: 'Delete a report' })
  @Delete(':id')
  remove(@Param('id') id: string): string {
    removed.push(id);
    return id;
  }

  @Role('admin')
  @Tool({ name: 'count_reports', description: 'Count the reports' })
  @Get('count')
  count(): number {
    return 1;
  }

  @UseGuards(OwnReportGuard)
  @Tool({ name: 'read_report', description: 'Read a report' })
  @Get(':id')
  read(@Param('id') id: string): string {
    return id;
  }

  @UseGuards(OwnReportGuard)
  @Tool({ name: 'print_report', description: 'Print a report', offer: 'always' })
  @Get(':id/print')
  print(@Param('id') id: string): string {
    return id;
  }
}

@Injectable()
class ReportTools {
  @UseGuards(RolesGuard)
  @Role('admin')
  @Tool({ description: 'Archive all reports', permission: 'ask' })
  archive_reports(): string {
    removed.push('all');
    return 'archived';
  }
}

describe.each(ADAPTERS)('tools that are offered guarded, on %s', (adapter) => {
  const closers = new Closers();
  afterEach(() => closers.close());
  beforeEach(() => {
    asked.length = 0;
    removed.length = 0;
  });

  const GUARDS = [
    { provide: APP_GUARD, useClass: RolesOfUserGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ];
  const open = (options: Parameters<Closers['open']>[0] = {}) =>
    closers.open({
      adapter,
      controllers: [ReportsController],
      providers: [ReportTools, ...GUARDS],
      tools: { offer: 'guarded' },
      ...options,
    });
  const headers = (user: string) => ({
    authorization: `Bearer ${user}`,
    'content-type': 'application/json',
  });
  const listed = async ({ url }: AgentApp, user: string) => {
    const response = await fetch(`${url}/agent/tools`, { headers: headers(user) });
    return ((await response.json()) as { name: string }[]).map(({ name }) => name);
  };
  const chat = async ({ url }: AgentApp, user: string, message = 'go') => {
    const body = JSON.stringify({ message });
    const response = await fetch(`${url}/agent/chat`, {
      method: 'POST',
      headers: headers(user),
      body,
    });
    return (await response.json()) as {
      status: string;
      toolCalls: { name: string; output: string; isError: boolean }[];
      pendingActions: unknown[];
    };
  };
  const OPEN = ['list_reports', 'print_report'];
  const ADMIN = ['delete_report', 'count_reports', 'archive_reports'];

  it('are listed for those alone whom their guards let pass', async () => {
    const app = await open();
    const ada = await listed(app, 'ada');
    expect(ada).toEqual(expect.arrayContaining(OPEN));
    expect(ada.filter((name) => ADMIN.includes(name))).toEqual([]);
    expect(await listed(app, 'root')).toEqual(expect.arrayContaining([...OPEN, ...ADMIN]));
    const mallory = await listed(app, 'mallory');
    expect(mallory.filter((name) => name.includes('report'))).toEqual(['print_report']);
    const detail = `${app.url}/agent/tools/delete_report`;
    expect((await fetch(detail, { headers: headers('ada') })).status).toBe(404);
    expect((await fetch(detail, { headers: headers('root') })).status).toBe(200);
  });

  it('are told to the model likewise, and asked for once per run', async () => {
    const list = { toolCalls: [{ name: 'list_reports', input: {} }] };
    const app = await open({ steps: [list, list, 'Done.', 'Done.'] });
    await chat(app, 'ada');
    const told = app.model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(told).toHaveLength(3);
    for (const names of told) {
      expect(names).toContain('list_reports');
      expect(names.filter((name) => ADMIN.includes(name))).toEqual([]);
    }
    expect(asked.filter((name) => name === 'ReportsController.remove')).toHaveLength(1);
    // Once before the run's first step, and once in each of its two calls.
    expect(asked.filter((name) => name === 'ReportsController.list')).toHaveLength(3);
    await chat(app, 'root');
    expect(asked.filter((name) => name === 'ReportsController.remove')).toHaveLength(2);
    expect(app.model.requests.at(-1)?.tools.map(({ name }) => name)).toContain('delete_report');
  });

  it('are never asked about where their guards refuse, whoever names them', async () => {
    const inputs = { delete_report: { id: 'r1' }, archive_reports: {}, count_reports: {} };
    const steps = Object.entries(inputs).map(([name, input]) => ({
      toolCalls: [{ name, input }],
    }));
    const app = await open({ steps: [...steps, 'Done.'] });
    const { status, toolCalls, pendingActions } = await chat(app, 'ada');
    expect({ status, pendingActions }).toEqual({ status: 'completed', pendingActions: [] });
    expect(toolCalls.map(({ name, isError }) => [name, isError])).toEqual(
      Object.keys(inputs).map((name) => [name, true]),
    );
    for (const { output } of toolCalls) expect(output).toContain('Only for the role admin.');
    expect(removed).toEqual([]);
  });

  it('ask those who may, as ever', async () => {
    const app = await open({
      steps: [{ toolCalls: [{ name: 'delete_report', input: { id: 'r1' } }] }],
    });
    expect(await chat(app, 'root')).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ name: 'delete_report' }],
    });
    expect(removed).toEqual([]);
  });

  it('see nothing of the chat request but its user, and leave nothing on it', async () => {
    const warnings: string[] = [];
    const silent = () => undefined;
    const warn = (message: unknown) => void warnings.push(String(message));
    const app = await open({
      path: ':id/agent',
      appOptions: { logger: { log: silent, error: silent, warn } },
    });
    const response = await fetch(`${app.url}/own-1/agent/tools`, { headers: headers('ada') });
    const names = ((await response.json()) as { name: string }[]).map(({ name }) => name);
    expect(names).not.toContain('read_report');
    expect(names).toContain('print_report');
    expect(warnings.filter((line) => line.startsWith('read_report'))).toEqual([
      expect.stringContaining("If they read the route's parameters, set offer: 'always'."),
    ]);

    const request = { headers: {}, user: { id: 'ada' } };
    const tools = await app.app.get(AgentService).tools({ principal: 'ada', request });
    expect(tools.map(({ name }) => name)).toContain('list_reports');
    expect(request).toEqual({ headers: {}, user: { id: 'ada' } });
  });

  it('are withheld, and refused, at once where a guard answers in their place', async () => {
    const steps = [{ toolCalls: [{ name: 'read_mails', input: {} }] }, 'Done.'];
    const app = await open({
      controllers: [LoginController],
      providers: [LoginTools],
      steps,
    });
    expect(await listed(app, 'ada')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/log_in|read_mails/)]),
    );
    const free = await open({
      controllers: [LoginController],
      providers: [LoginTools],
      steps,
      tools: { offer: 'always' },
    });
    expect(await chat(free, 'ada')).toMatchObject({
      toolCalls: [
        { isError: true, output: expect.stringContaining('Permission denied') as string },
      ],
    });
  });

  it('are withheld where there is no request that could say who asks', async () => {
    const app = await open();
    const tools = await app.app.get(AgentService).tools();
    expect(tools.map(({ name }) => name).filter((name) => ADMIN.includes(name))).toEqual([]);
    const call = await app.app.get(ToolCallFactory).create('archive_reports', {});
    expect(call.response).toMatchObject({ status: 'failed' });
    expect(removed).toEqual([]);
  });

  it('are all offered without the option', async () => {
    const app = await open({ tools: {} });
    expect(await listed(app, 'ada')).toEqual(expect.arrayContaining([...OPEN, ...ADMIN]));
    expect(asked.filter((name) => name.startsWith('Report'))).toEqual([]);
  });
});
