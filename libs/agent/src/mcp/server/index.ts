// The server's module, its controller and its one endpoint.
export { McpServerModule } from './mcp-server.module';
