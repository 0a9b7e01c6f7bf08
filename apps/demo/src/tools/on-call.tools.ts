import { Injectable } from '@nestjs/common';
import { Tool, ToolContext, ToolError } from 'nestjs-agent';
import { ApplicationsService } from '../applications/applications.service';
import { UsersService } from '../auth/users.service';
import { OnCallRoster } from './on-call.roster';

/** Who to call when something breaks */
@Injectable()
export class OnCallTools {
  // A provider tool gets its services like any provider, and its caller from `ToolContext`.
  constructor(
    private readonly roster: OnCallRoster,
    private readonly applications: ApplicationsService,
    private readonly users: UsersService,
  ) {}

  /** Find out who is on call for an application, with the pager number */
  @Tool({ name: 'who_is_on_call', readOnly: true })
  whoIsOnCall(
    /**
     * Name of the application
     * @example demo-app
     */
    application: string,
    context: ToolContext,
  ): string {
    const user = this.users.get(context.principal);
    const { name, team } = this.applications.get(user, application);
    const person = this.roster.find(team);
    if (person === undefined) throw new ToolError(`Nobody is on call for the team ${team}.`);
    return `${person.name} of team ${team} is on call for ${name}, pager ${person.pager}.`;
  }
}
