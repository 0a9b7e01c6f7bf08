import { Injectable } from '@nestjs/common';
import { McpClients } from 'nestjs-agent/mcp';

@Injectable()
export class ToolStatus {
  constructor(private readonly clients: McpClients) {}

  /** The servers whose tools do not work at the moment. */
  away(): readonly string[] {
    return this.clients
      .status()
      .filter(({ state }) => state !== 'connected')
      .map(({ name }) => name);
  }

  /** Lists the tools again, for instance after a deployment of the server. */
  async toolsOf(server: string): Promise<readonly string[]> {
    const { tools } = await this.clients.refresh(server);
    return tools;
  }
}
