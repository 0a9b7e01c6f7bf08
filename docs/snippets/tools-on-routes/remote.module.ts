import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { OrdersController } from './orders.controller';

/** An agent in a process of its own; the orders are served elsewhere. */
export function remoteModule(baseUrl: string) {
  @Module({
    imports: [
      // #region remote
      AgentModule.forRoot({ dispatch: { baseUrl } }), // such as 'https://api.example.com/v2'
      // #endregion remote
    ],
    controllers: [OrdersController],
  })
  class RemoteModule {}
  return RemoteModule;
}
