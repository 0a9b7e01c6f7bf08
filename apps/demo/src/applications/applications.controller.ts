import { Controller, Delete, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';
import type { User } from '../auth/user';
import type { Application } from './application';
import { ApplicationsService } from './applications.service';
import { ListApplicationsQuery } from './dto/list-applications.query';

const NAME = { description: 'Name of the application', example: 'demo-app' };

@Toolkit({ description: 'The applications that run on the platform' })
@Controller('applications')
@UseGuards(JwtAuthGuard, RolesGuard)
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Tool({ name: 'list_applications', description: 'List the applications that the user has' })
  @Get()
  list(@CurrentUser() user: User, @Query() filter: ListApplicationsQuery): readonly Application[] {
    return this.applications.list(user, filter);
  }

  @Tool({ name: 'get_application', description: 'Show one application by its name' })
  @Get(':name')
  get(
    @CurrentUser() user: User,
    @Param('name') @ToolParam('name', NAME) name: string,
  ): Application {
    return this.applications.get(user, name);
  }

  @Tool({
    name: 'delete_application',
    description: 'Delete an application for good. Only admins may.',
  })
  @Delete(':name')
  @Roles(['admin'])
  remove(
    @CurrentUser() user: User,
    @Param('name') @ToolParam('name', NAME) name: string,
  ): { deleted: string } {
    return { deleted: this.applications.remove(user, name).name };
  }
}
