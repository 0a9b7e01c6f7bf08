import type { Cluster } from 'ioredis';
import { redisBus } from 'nestjs-agent/redis';
import { describeRunBus } from 'nestjs-agent/testing';
import { OwnCluster } from './cluster';

let cluster: OwnCluster;
const clients: Cluster[] = [];

function clientOfCluster(): Cluster {
  const client = cluster.client();
  clients.push(client);
  return client;
}

describeRunBus('redisBus on a cluster', {
  create: async () => {
    cluster = await OwnCluster.start();
    return redisBus({ client: clientOfCluster() });
  },
  createPeer: () => redisBus({ client: clientOfCluster() }),
  destroy: async () => {
    for (const client of clients) client.disconnect();
    await cluster.remove();
  },
});
