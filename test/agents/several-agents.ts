import {
  ForbiddenException,
  Injectable,
  Module,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  AgentModule,
  Tool,
  Toolkit,
  ToolParam,
  type AgentModuleOptions,
  type AuditRecord,
} from 'nestjs-agent';
import type { AgentModuleFeatureOptions } from 'nestjs-agent/types';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import { type AdapterName, BearerGuard, NotesController } from '../http/agent-app';

/** Admits only users whose name begins with "staff". */
@Injectable()
export class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    if (user?.id.startsWith('staff')) return true;
    throw new ForbiddenException('Only staff may ask this agent.');
  }
}

@Toolkit({ description: 'The archive' })
@Injectable()
export class ArchiveTools {
  readonly burnt: string[] = [];

  @Tool({ name: 'archive_find', description: 'Find a file', readOnly: true })
  find(@ToolParam('name') name: string): string {
    return `found ${name}`;
  }

  @Tool({ name: 'archive_burn', description: 'Burn a file', destructive: true })
  burn(@ToolParam('name') name: string): string {
    this.burnt.push(name);
    return `burnt ${name}`;
  }
}

/** A further agent, with the script of its model. */
export interface Feature extends Omit<AgentModuleFeatureOptions, 'model'> {
  readonly steps?: readonly ScriptedStep[];
}

export interface AgentsOptions extends AgentModuleOptions {
  readonly adapter?: AdapterName;
  readonly steps?: readonly ScriptedStep[];
  readonly features: readonly Feature[];
  readonly imports?: DynamicModule[];
}

export interface AgentsApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly model: ScriptedModel;
  /** The further agents' models, by the agents' names. */
  readonly models: Readonly<Record<string, ScriptedModel>>;
  readonly records: readonly AuditRecord[];
}

/** An application with several agents on scripted models, listening on a free port. */
export async function agentsApp(options: AgentsOptions): Promise<AgentsApp> {
  const { adapter, steps = [], features, imports = [], ...root } = options;
  const model = new ScriptedModel(steps, { name: 'root-model' });
  const records: AuditRecord[] = [];
  const models: Record<string, ScriptedModel> = {};
  const further = features.map(({ steps: script = [], ...feature }) => {
    const own = new ScriptedModel(script, { name: `${feature.name}-model` });
    models[feature.name] = own;
    return AgentModule.forFeature({
      model: own,
      decorators: [UseGuards(BearerGuard)],
      ...feature,
    });
  });

  @Module({
    imports: [
      AgentModule.forRoot({
        model,
        decorators: [UseGuards(BearerGuard)],
        audit: { record: (record) => void records.push(record) },
        ...root,
      }),
      ...further,
      ...imports,
    ],
    controllers: [NotesController],
    providers: [ArchiveTools],
  })
  class AppModule {}

  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const silent = { logger: false } as const;
  const app =
    adapter === 'fastify'
      ? module.createNestApplication(new FastifyAdapter({ forceCloseConnections: true }), silent)
      : module.createNestApplication(silent);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl(), model, models, records };
}

/** A model's call of one tool. */
export function calls(name: string, input: Record<string, unknown> = {}): ScriptedStep {
  return { toolCalls: [{ name, input: input as never }] };
}
