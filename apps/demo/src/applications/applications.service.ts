import { Injectable, NotFoundException } from '@nestjs/common';
import type { User } from '../auth/user';
import type { Application, Environment } from './application';
import { DEMO_APPLICATIONS } from './applications.seed';

export interface ApplicationFilter {
  readonly environment?: Environment;
}

@Injectable()
export class ApplicationsService {
  private readonly applications = new Map(DEMO_APPLICATIONS.map((each) => [each.name, each]));

  /** A developer sees their own applications, an admin all. */
  list(user: User, { environment }: ApplicationFilter = {}): readonly Application[] {
    return [...this.applications.values()].filter(
      (each) =>
        maySee(user, each) && (environment === undefined || each.environment === environment),
    );
  }

  /** @throws NotFoundException where there is no such application, or the user may not see it */
  get(user: User, name: string): Application {
    const application = this.applications.get(name);
    if (application === undefined || !maySee(user, application)) {
      throw new NotFoundException(`There is no application "${name}".`);
    }
    return application;
  }

  update(application: Application): Application {
    this.applications.set(application.name, application);
    return application;
  }

  remove(user: User, name: string): Application {
    const application = this.get(user, name);
    this.applications.delete(name);
    return application;
  }
}

function maySee(user: User, application: Application): boolean {
  return user.role === 'admin' || application.owner === user.id;
}
