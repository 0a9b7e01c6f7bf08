import { Controller, Module, Post, type NestModule } from '@nestjs/common';
import { IsString } from 'class-validator';
import { AgentService } from 'nestjs-agent';
import {
  BodyParsing,
  CallerResolver,
  Endpoint,
  readBody,
  type Exchange,
} from 'nestjs-agent/endpoints';

class PrefixDto {
  @IsString()
  prefix!: string;
}

// #region controller
@Controller('tool-names')
export class ToolNamesController {
  constructor(
    private readonly agent: AgentService,
    private readonly callers: CallerResolver,
  ) {}

  @Post()
  @Endpoint()
  async stream({ request, response }: Exchange): Promise<void> {
    const { prefix } = await readBody(PrefixDto, request);
    const tools = await this.agent.offeredTools(this.callers.resolve(request));
    response.head(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const { definition } of tools) {
      if (definition.name.startsWith(prefix)) response.write(`data: ${definition.name}\n\n`);
    }
    response.end();
  }
}
// #endregion controller

// #region module
@Module({ controllers: [ToolNamesController] })
export class ToolNamesModule implements NestModule {
  constructor(private readonly bodies: BodyParsing) {}

  configure(): void {
    this.bodies.accept('tool-names', 65_536);
  }
}
// #endregion module
