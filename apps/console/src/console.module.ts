import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { modelFromEnvironment } from '../../demo/src/agent/model-from-environment';
import { processesFromEnvironment } from '../../demo/src/agent/processes-from-environment';
import { ApplicationsService } from '../../demo/src/applications/applications.service';
import { UsersService } from '../../demo/src/auth/users.service';
import { DashboardService } from '../../demo/src/dashboard/dashboard.service';
import { ResourcesService } from '../../demo/src/resources/resources.service';
import { ClockTools } from '../../demo/src/tools/clock.tools';
import { MathTools } from '../../demo/src/tools/math.tools';
import { WorkflowsService } from '../../demo/src/workflows/workflows.service';
import { PlatformTools } from './tools/platform.tools';

const { DATABASE_URL: connectionString } = process.env;

@Module({
  imports: [
    AgentModule.forRoot({
      name: 'platform',
      model: modelFromEnvironment(process.env),
      systemPrompt: 'You are the assistant of a developer platform. You answer in a terminal.',
      path: false,
      // Conversations end with the process, unless a worker is to answer them.
      ...(connectionString && {
        sessions: { store: sqlStore({ connectionString, schema: 'console' }) },
        ...processesFromEnvironment(process.env, { prefix: 'console', credentials: 'none' }),
      }),
    }),
  ],
  providers: [
    UsersService,
    ApplicationsService,
    WorkflowsService,
    ResourcesService,
    DashboardService,
    PlatformTools,
    MathTools,
    ClockTools,
  ],
})
export class ConsoleModule {}
