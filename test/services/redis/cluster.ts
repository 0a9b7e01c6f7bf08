import { Cluster, Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../support/free-port';
import { SilentLine } from '../silent-line';
import { OwnRedis } from './server';

const SLOTS = 16_384;
const ARGS = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000'];

/** Three servers that share the keys, without replicas. */
export class OwnCluster {
  private constructor(private readonly servers: readonly OwnRedis[]) {}

  static async start(): Promise<OwnCluster> {
    // The servers' default bus port is their port plus 10000, which may be an ephemeral port.
    const busPorts = await Promise.all([1, 2, 3].map(() => freePort()));
    const servers = await Promise.all(
      busPorts.map((port) => OwnRedis.start(...ARGS, '--cluster-port', String(port))),
    );
    const clients = servers.map(({ url }) => new Redis(url));
    const [first] = servers;
    await Promise.all(
      clients.map(async (client, index) => {
        const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / 3));
        await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
        await client.call('CLUSTER', 'MEET', '127.0.0.1', String(first?.port), String(busPorts[0]));
      }),
    );
    for (const client of clients) {
      while (!(await client.cluster('INFO')).includes('cluster_state:ok')) await delay(20);
      client.disconnect();
    }
    return new OwnCluster(servers);
  }

  /** @param ports where its servers are reached, in their order */
  client(make: typeof Cluster = Cluster, ports = this.servers.map(({ port }) => port)): Cluster {
    const nodes = ports.map((port) => ({ host: '127.0.0.1', port }));
    const natMap = Object.fromEntries(
      this.servers.map(({ port }, index) => [
        `127.0.0.1:${port}`,
        { host: '127.0.0.1', port: ports[index] ?? port },
      ]),
    );
    return new make(nodes, { lazyConnect: true, natMap });
  }

  /** A proxy for each server. */
  lines(): readonly SilentLine[] {
    return this.servers.map(({ url }) => new SilentLine(url));
  }

  /** The server that has a key. */
  async serverOf(key: string): Promise<OwnRedis> {
    const client = new Redis(this.servers[0]?.url ?? '');
    const slot = Number(await client.cluster('KEYSLOT', key));
    client.disconnect();
    const server = this.servers[Math.floor((slot * 3) / SLOTS)];
    if (!server) throw new Error(`No server has slot ${slot}.`);
    return server;
  }

  async remove(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.remove()));
  }
}
