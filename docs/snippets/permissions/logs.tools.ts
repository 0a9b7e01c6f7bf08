import { Injectable } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent';

@Injectable()
export class LogTools {
  // #region function
  @Tool({
    description: 'Read the log of an application',
    readOnly: true,
    permission: ({ input }, { principal }) => {
      if (input['app'] === 'payroll') return principal === 'grace' ? 'allow' : 'deny';
      return Number(input['hours']) > 24 ? 'ask' : 'allow';
    },
  })
  read_log(@ToolParam('app') app: string, @ToolParam('hours') hours: number) {
    return `${hours} h of ${app}`;
  }
  // #endregion function

  @Tool({ description: 'Drop a database', destructive: true })
  drop_database(@ToolParam('name') name: string) {
    return `${name} is gone`;
  }
}
