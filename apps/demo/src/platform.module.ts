import { Module } from '@nestjs/common';
import { ApplicationsModule } from './applications/applications.module';
import { AuthModule } from './auth/auth.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { DeploymentsModule } from './deployments/deployments.module';
import { ResourcesModule } from './resources/resources.module';
import { ToolsModule } from './tools/tools.module';
import { WorkflowsModule } from './workflows/workflows.module';

/** The application as it was before there was an agent, and a few tools besides. */
@Module({
  imports: [
    AuthModule,
    ApplicationsModule,
    WorkflowsModule,
    ResourcesModule,
    DashboardModule,
    DeploymentsModule,
    ToolsModule,
  ],
})
export class PlatformModule {}
