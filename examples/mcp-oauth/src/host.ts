// What an MCP host does: it registers itself, sends its user to log in, and calls a tool.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { RESOURCE } from './addresses';

const PORT = Number(process.env.HOST_PORT ?? 3002);

/** Where the browser comes back to. */
const CALLBACK = `http://127.0.0.1:${PORT}/callback`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

class UserInBrowser implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: 'Example host',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  private verifier = '';
  private client?: StoredOAuthClientInformation;
  private given?: StoredOAuthTokens;

  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.given;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.given = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  redirectToAuthorization = (url: URL) => print(`Open this address and log in: ${url.href}`);
}

async function connect(user: UserInBrowser): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: user });
  const client = new Client({ name: 'example-host', version: '1.0.0' });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await answerOfLogin());
    return connect(user);
  }
}

async function answerOfLogin(): Promise<URLSearchParams> {
  const server = createServer((_, response) => response.end('You may close this page.'));
  server.listen(PORT, '127.0.0.1');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  server.close();
  return new URL(request.url ?? '', CALLBACK).searchParams;
}

async function main(): Promise<void> {
  const client = await connect(new UserInBrowser());
  const result = await client.callTool({ name: 'list_orders' });
  print(JSON.stringify(result.content));
  await client.close();
}
void main();
