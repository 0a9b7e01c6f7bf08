import { Controller, Delete, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import type { User } from '../auth/user';
import type { Application } from './application';
import { ApplicationsService } from './applications.service';
import { ListApplicationsQuery } from './dto/list-applications.query';

/** The applications that run on the platform */
@Controller('applications')
@UseGuards(JwtAuthGuard, RolesGuard)
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  /** List the applications that the user has */
  @Tool({ name: 'list_applications' })
  @Get()
  list(@CurrentUser() user: User, @Query() filter: ListApplicationsQuery): readonly Application[] {
    return this.applications.list(user, filter);
  }

  /** Show one application by its name */
  @Tool({ name: 'get_application' })
  @Get(':name')
  get(
    @CurrentUser() user: User,
    /**
     * Name of the application
     * @example demo-app
     */
    @Param('name')
    name: string,
  ): Application {
    return this.applications.get(user, name);
  }

  /** Delete an application for good. Only admins may. */
  @Tool({ name: 'delete_application' })
  @Delete(':name')
  @Roles(['admin'])
  remove(
    @CurrentUser() user: User,
    /**
     * Name of the application
     * @example demo-app
     */
    @Param('name')
    name: string,
  ): { deleted: string } {
    return { deleted: this.applications.remove(user, name).name };
  }
}
