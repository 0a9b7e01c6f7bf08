import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module';
import { AuthModule } from '../auth/auth.module';
import { ResourcesModule } from '../resources/resources.module';
import { WorkflowsModule } from '../workflows/workflows.module';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

@Module({
  imports: [AuthModule, ApplicationsModule, WorkflowsModule, ResourcesModule],
  controllers: [DashboardController],
  providers: [DashboardService],
})
export class DashboardModule {}
