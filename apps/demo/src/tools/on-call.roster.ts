import { Injectable } from '@nestjs/common';

export interface OnCallPerson {
  readonly name: string;
  readonly pager: string;
}

const ROSTER: Readonly<Record<string, OnCallPerson>> = {
  storefront: { name: 'Priya', pager: '+44 20 7946 0101' },
  platform: { name: 'Tomás', pager: '+44 20 7946 0102' },
  payments: { name: 'Ines', pager: '+44 20 7946 0103' },
};

/** Who answers the pager of which team. */
@Injectable()
export class OnCallRoster {
  find(team: string): OnCallPerson | undefined {
    return Object.hasOwn(ROSTER, team) ? ROSTER[team] : undefined;
  }
}
