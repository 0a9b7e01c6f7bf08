import { Test } from '@nestjs/testing';
import { Cluster } from 'ioredis';
import { RUN_BUS } from '../../../libs/agent/src/run';
import { AppModule } from './app.module';
import { busOn } from './cluster';

describe('the scaling guide', () => {
  it('has a module that compiles with a bus, and connects only when it starts', async () => {
    process.env['DATABASE_URL'] = 'postgres://127.0.0.1:1/none';
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const bus: unknown = module.get(RUN_BUS, { strict: false });
    expect(bus).toMatchObject({ open: expect.any(Function), signal: expect.any(Function) });
  });

  it('has a bus on a cluster, whose client is not used', async () => {
    const client = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
    const bus = busOn(client);
    expect(client.status).toBe('wait');
    await bus.close?.();
    client.disconnect();
  });
});
