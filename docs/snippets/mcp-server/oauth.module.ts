import { Module, UseGuards } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { OrdersService } from '../start/orders.service';
import { TokenGuard } from './token.guard';

/** Stands for the key of your authorization server. */
export const KEY = 'a key that only this test knows';
const LoginModule = JwtModule.register({ secret: KEY });

@Module({
  imports: [
    AgentModule.forRoot({ path: false }),
    // #region oauth
    McpServerModule.forRoot({
      imports: [LoginModule], // exports the JwtService that TokenGuard injects
      decorators: [UseGuards(TokenGuard)],
      auth: {
        resource: 'https://shop.example/mcp',
        authorizationServers: ['https://login.example'],
        scopes: ['orders'],
      },
    }),
    // #endregion oauth
  ],
  providers: [OrdersService],
})
export class OauthModule {}
