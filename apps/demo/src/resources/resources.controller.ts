import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { CurrentUser } from '../auth/current-user.decorator';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import type { User } from '../auth/user';
import { ListResourcesQuery } from './dto/list-resources.query';
import type { Resource } from './resource';
import { ResourcesService } from './resources.service';

/** What applications need to run: databases, caches, queues and so on */
@Controller('resources')
@UseGuards(JwtAuthGuard)
export class ResourcesController {
  constructor(private readonly resources: ResourcesService) {}

  /** List resources (databases, caches, queues, buckets, routes) and their health */
  @Tool({ name: 'list_resources' })
  @Get()
  list(@CurrentUser() user: User, @Query() filter: ListResourcesQuery): readonly Resource[] {
    return this.resources.list(user, filter);
  }
}
