import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service';
import type { User } from '../auth/user';
import type { Resource, ResourceType } from './resource';
import { DEMO_RESOURCES } from './resources.seed';

export interface ResourceFilter {
  readonly application?: string;
  readonly type?: ResourceType;
}

@Injectable()
export class ResourcesService {
  constructor(private readonly applications: ApplicationsService) {}

  /** Resources of the applications that the user sees. */
  list(user: User, { application, type }: ResourceFilter = {}): readonly Resource[] {
    const visible = new Set(this.applications.list(user).map(({ name }) => name));
    return DEMO_RESOURCES.filter(
      (each) =>
        visible.has(each.application) &&
        (application === undefined || each.application === application) &&
        (type === undefined || each.type === type),
    );
  }
}
