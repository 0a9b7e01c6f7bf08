import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  type NestInterceptor,
  NotFoundException,
  type PipeTransform,
  Scope,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsInt, IsString, Min } from 'class-validator';
import { concat, map, NEVER, type Observable, of, timer } from 'rxjs';
import {
  AgentModule,
  Tool,
  ToolCallFactory,
  ToolContext,
  ToolEmitter,
  ToolError,
  Toolkit,
  ToolLoader,
  ToolParam,
  ToolRegistry,
} from 'nestjs-agent';

class Tenant {
  constructor(readonly name: string) {}
}

class ReportDto {
  @IsString()
  title!: string;

  @IsInt()
  @Min(1)
  pages!: number;
}

let guardCalls = 0;

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    guardCalls++;
    const request = context.switchToHttp().getRequest<{ readonly user?: string }>();
    if (request.user === undefined) throw new UnauthorizedException('Log in first');
    return request.user !== 'mallory';
  }
}

@Toolkit({ description: 'Reports' })
@Injectable()
class ReportTools {
  calls = 0;

  @Tool({ description: 'Write a report', readOnly: true, input: ReportDto })
  write(report: ReportDto, tenant: Tenant): string {
    return `${tenant.name}: ${report.title} (${report.pages}) ${report instanceof ReportDto}`;
  }

  @Tool({ description: 'Build a report' })
  build(@ToolParam('title') title: string, emitter: ToolEmitter): Observable<string> {
    emitter.emit('started');
    return concat(of('half'), timer(1).pipe(map(() => `${title} is built`)));
  }

  @UseGuards(UserGuard)
  @Tool({ description: 'Read a report', readOnly: true, cacheTtlMs: 60_000 })
  read(@ToolParam('id') id: number, context: ToolContext): string {
    this.calls++;
    return `${id} for ${context.principal ?? 'nobody'}`;
  }

  @Tool({ description: 'Find a report' })
  find(): never {
    throw new NotFoundException('There is no such report');
  }

  @Tool({ description: 'Print a report' })
  print(): never {
    throw new ToolError('The printer is on fire.');
  }

  @Tool({ description: 'Lose a report' })
  lose(): never {
    throw new Error('connect ECONNREFUSED 10.0.0.1');
  }
}

const hangingGuard: CanActivate = { canActivate: () => new Promise(() => undefined) };
const hangingInterceptor: NestInterceptor = { intercept: () => NEVER };
const hangingPipe: PipeTransform = { transform: () => new Promise(() => undefined) };

@Injectable()
class HangingTools {
  calls = 0;

  @UseGuards(hangingGuard)
  @Tool({ description: 'Its guard hangs', timeoutMs: 20 })
  guarded(): void {
    this.calls++;
  }

  @UseInterceptors(hangingInterceptor)
  @Tool({ description: 'Its interceptor hangs', timeoutMs: 20 })
  intercepted(): void {
    this.calls++;
  }

  @Tool({ description: 'Its pipe hangs', timeoutMs: 20 })
  piped(@ToolParam('id', hangingPipe) _id: number): void {
    this.calls++;
  }
}

@Injectable({ scope: Scope.REQUEST })
class LaterTools {
  @Tool({ description: 'Comes later' })
  later(): string {
    return 'later';
  }
}

describe('provider tools, called on the one path of every call', () => {
  let app: INestApplication;
  let calls: ToolCallFactory;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ context: [new Tenant('acme')] })],
      providers: [ReportTools, HangingTools, LaterTools],
    }).compile();
    app = module.createNestApplication({ logger: false });
    await app.init();
    calls = app.get(ToolCallFactory);
  });
  afterAll(() => app.close());

  const run = async (...args: Parameters<ToolCallFactory['create']>) => {
    const { response } = await calls.create(...args);
    if (response.status === 'pending') await response.execute();
    return response;
  };

  it('are listed', () => {
    expect(
      app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name),
    ).toEqual(expect.arrayContaining(['write', 'build', 'read', 'find', 'print', 'lose', 'later']));
    expect(app.get(ToolLoader)).toBeDefined();
  });

  it('receive typed input and context', async () => {
    const report = { title: 'Year', pages: 3 };
    expect(await run('write', report)).toMatchObject({
      status: 'executed',
      result: 'acme: Year (3) true',
    });
    expect(await run('write', report, { context: [new Tenant('initech')] })).toMatchObject({
      result: 'initech: Year (3) true',
    });
    expect(await run('write', { title: 'Year', pages: 0 })).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_arguments', message: expect.stringContaining('/pages') },
    });
  });

  it.each([
    ['guarded', '{}'],
    ['intercepted', '{}'],
    ['piped', '{"id":1}'],
  ])('end in time (%s)', async (name, input) => {
    expect(await run(name, input)).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(app.get(HangingTools).calls).toBe(0);
  });

  it('report progress, and answer with a stream’s last value', async () => {
    const progress: unknown[] = [];
    const response = await run(
      'build',
      { title: 'Year' },
      { emit: (data) => void progress.push(data) },
    );
    expect(response).toMatchObject({ status: 'executed', result: 'Year is built' });
    expect(progress).toEqual(['started', 'half']);
  });

  it('ask their guards on a cache hit too', async () => {
    const alice = { principal: 'alice', request: { user: 'alice' } };
    const tools = app.get(ReportTools);
    guardCalls = tools.calls = 0;
    expect(await run('read', { id: 7 }, alice)).toMatchObject({ result: '7 for alice' });
    expect(await run('read', { id: 7 }, alice)).toMatchObject({ result: '7 for alice' });
    expect([guardCalls, tools.calls]).toEqual([2, 1]);
    expect(
      await run('read', { id: 7 }, { principal: 'alice', request: { user: 'mallory' } }),
    ).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect(tools.calls).toBe(1);
  });

  it.each([
    ['find', 'http_error', 'There is no such report'],
    ['print', 'tool_error', 'The printer is on fire.'],
    ['lose', 'tool_failed', 'The tool failed with an unexpected error.'],
  ])('tell the model of %s what it may know', async (name, code, message) => {
    expect(await run(name, {})).toMatchObject({ status: 'failed', error: { code, message } });
  });

  it('name a matter of authentication', async () => {
    expect(await run('read', { id: 1 }, { request: {} })).toMatchObject({
      error: { code: 'unauthorized', message: 'Authentication failed: Log in first' },
    });
    expect(await run('read', { id: 1 })).toMatchObject({
      error: { code: 'forbidden', message: expect.stringContaining('no HTTP request') },
    });
  });
});
