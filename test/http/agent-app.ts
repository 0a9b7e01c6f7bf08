import {
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  AgentModule,
  Tool,
  Toolkit,
  ToolParam,
  type AgentModuleOptions,
  type ToolDefinition,
} from 'nestjs-agent';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';

export type AdapterName = 'express' | 'fastify';
/** For platform-dependent behaviour: bodies, headers, streams, guards, paths, whole applications. */
export const ADAPTERS: readonly AdapterName[] = ['express', 'fastify'];
/** For behaviour above the platform: models, agents, conversations. These files alternate between the platforms. */
export const ON_EXPRESS: readonly AdapterName[] = ['express'];
export const ON_FASTIFY: readonly AdapterName[] = ['fastify'];

interface UserRequest {
  headers: Record<string, string | undefined>;
  user?: { id: string };
}

/** The bearer token is the user's name; requests without one are anonymous. */
@Injectable()
export class BearerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<UserRequest>();
    const token = request.headers['authorization']?.replace(/^Bearer /, '');
    if (token === 'wrong') throw new UnauthorizedException('The token is wrong.');
    if (token) request.user = { id: token };
    return true;
  }
}

/** Like `BearerGuard`, but refuses anonymous requests. */
@Injectable()
export class LoginGuard extends BearerGuard {
  override canActivate(context: ExecutionContext): boolean {
    super.canActivate(context);
    if (context.switchToHttp().getRequest<UserRequest>().user) return true;
    throw new UnauthorizedException();
  }
}

@Toolkit({ description: 'Arithmetic' })
@Injectable()
export class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @Tool({ description: 'Remove a file', destructive: true })
  remove_file(@ToolParam('name') name: string): string {
    removed.push(name);
    return `removed ${name}`;
  }

  @Tool({ description: 'Only alice sees this', visible: (ctx) => ctx.principal === 'alice' })
  hidden(): string {
    return 'seen';
  }
}

/** The arguments of all `remove_file` calls, across all applications of a test file. */
export const removed: string[] = [];

@Controller('notes')
@UseGuards(BearerGuard)
export class NotesController {
  @Tool({ description: 'Read a note', name: 'read_note' })
  @Get(':id')
  read(@Param('id', ParseIntPipe) id: number): { id: number; text: string } {
    return { id, text: 'buy milk' };
  }

  @Tool({ description: 'Delete a note', name: 'delete_note' })
  @Delete(':id')
  remove(@Param('id', ParseIntPipe) id: number): { deleted: number } {
    removed.push(`note ${id}`);
    return { deleted: id };
  }
}

export interface AgentAppOptions extends AgentModuleOptions {
  readonly adapter?: AdapterName;
  readonly steps?: readonly ScriptedStep[];
  /** Whether the model reads pictures and files. */
  readonly seesAll?: boolean;
  readonly providers?: ModuleMetadata['providers'];
  readonly controllers?: ModuleMetadata['controllers'];
  readonly prepare?: (app: INestApplication) => unknown;
  readonly appOptions?: object;
}

export interface AgentApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly model: ScriptedModel;
}

/** An application with an agent on a scripted model, listening on a free port. */
export async function agentApp(options: AgentAppOptions = {}): Promise<AgentApp> {
  const { adapter, steps = [], providers = [], controllers = [], prepare, ...more } = options;
  const { appOptions = { logger: false }, seesAll = false, ...agent } = more;
  const capabilities = { tools: true, images: seesAll, files: seesAll };
  const model = new ScriptedModel(steps, { capabilities });

  @Module({
    imports: [AgentModule.forRoot({ model, decorators: [UseGuards(BearerGuard)], ...agent })],
    controllers: [NotesController, ...controllers],
    providers: [MathTools, ...providers],
  })
  class AppModule {}

  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const app =
    adapter === 'fastify'
      ? module.createNestApplication(
          // Some clients keep an unused connection open.
          new FastifyAdapter({ forceCloseConnections: true }),
          appOptions,
        )
      : module.createNestApplication(appOptions);
  await prepare?.(app);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl(), model };
}

export const PAGE_TITLE: ToolDefinition = {
  name: 'page_title',
  description: 'The title of the page the user looks at',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
};

/** Closes everything that a test opened, also if the test failed. */
export class Closers {
  private readonly apps: INestApplication[] = [];

  async open(options: AgentAppOptions = {}): Promise<AgentApp> {
    const opened = await agentApp(options);
    this.apps.push(opened.app);
    return opened;
  }

  async close(): Promise<void> {
    for (const app of this.apps.splice(0)) await app.close();
  }
}
