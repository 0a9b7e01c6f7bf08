import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module';
import { AuthModule } from '../auth/auth.module';
import { ResourcesModule } from '../resources/resources.module';
import { ClockTools } from './clock.tools';
import { HealthCheckTools } from './health-check.tools';
import { MathTools } from './math.tools';
import { OnCallRoster } from './on-call.roster';
import { OnCallTools } from './on-call.tools';

@Module({
  imports: [AuthModule, ApplicationsModule, ResourcesModule],
  providers: [MathTools, ClockTools, OnCallRoster, OnCallTools, HealthCheckTools],
})
export class ToolsModule {}
