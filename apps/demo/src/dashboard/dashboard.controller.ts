import { Controller, Get, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import type { User } from '../auth/user';
import type { DashboardStats } from './dashboard-stats';
import { DashboardService } from './dashboard.service';

/** The platform at a glance */
@Controller('dashboard')
@UseGuards(JwtAuthGuard)
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  /** Show the dashboard: statistics and an overview of the whole platform in numbers */
  @Tool({ name: 'get_dashboard_stats' })
  @Get('stats')
  stats(@CurrentUser() user: User): DashboardStats {
    return this.dashboard.stats(user);
  }
}
