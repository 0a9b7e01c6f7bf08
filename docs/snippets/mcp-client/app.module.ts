import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpClientModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from './header.guard';
import { ToolStatus } from './tool-status';
import { TokenService } from './token.service';
import { TokensModule } from './tokens.module';

@Module({
  imports: [
    AgentModule.forRoot({ decorators: [UseGuards(HeaderGuard)] }),
    McpClientModule.forRootAsync({
      imports: [TokensModule],
      inject: [TokenService],
      useFactory: (tokens: TokenService) => ({
        servers: {
          // A child process of the application.
          files: {
            command: 'mcp-server-filesystem',
            args: [process.env['DOCUMENTS'] ?? '/srv/documents'],
            tools: {
              include: ['read_text_file', 'list_directory', 'write_file'],
              options: { list_directory: { permission: 'allow', readOnly: true } },
            },
          },
          // A server of another team, as the user of the chat.
          issues: {
            url: process.env['ISSUES_URL'] ?? 'https://issues.example.com/mcp',
            headers: async (ctx) => ({
              authorization: `Bearer ${await tokens.issuesToken(ctx?.principal)}`,
            }),
            trust: true,
          },
        },
      }),
    }),
  ],
  providers: [ToolStatus],
})
export class AppModule {}
