import { Cluster, Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { OwnRedis } from './server';

const SLOTS = 16_384;

/** Three servers that share the keys, without replicas. */
export class OwnCluster {
  private constructor(private readonly servers: readonly OwnRedis[]) {}

  static async start(): Promise<OwnCluster> {
    const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000'];
    const servers = await Promise.all([1, 2, 3].map(() => OwnRedis.start(...args)));
    const clients = servers.map(({ url }) => new Redis(url));
    const [first] = servers;
    await Promise.all(
      clients.map(async (client, index) => {
        const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / 3));
        await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1));
        await client.call('CLUSTER', 'MEET', '127.0.0.1', String(first?.port));
      }),
    );
    for (const client of clients) {
      while (!(await client.cluster('INFO')).includes('cluster_state:ok')) await delay(20);
      client.disconnect();
    }
    return new OwnCluster(servers);
  }

  client(): Cluster {
    const nodes = this.servers.map(({ port }) => ({ host: '127.0.0.1', port }));
    return new Cluster(nodes, { lazyConnect: true });
  }

  async remove(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.remove()));
  }
}
