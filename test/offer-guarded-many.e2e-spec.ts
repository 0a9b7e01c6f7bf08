import { type CanActivate, Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import { Closers, ON_FASTIFY } from './http/agent-app';

@Injectable()
class SlowGuard implements CanActivate {
  async canActivate(): Promise<boolean> {
    await new Promise(setImmediate);
    return true;
  }
}

/** One route per method name. */
function controllerOf(names: readonly string[]) {
  @Controller('many')
  @UseGuards(SlowGuard)
  class ManyController {}
  const { prototype } = ManyController;
  for (const name of names) {
    Object.defineProperty(prototype, name, { value: () => name, writable: true });
    Get(name)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name) ?? {});
  }
  return ManyController;
}

describe.each(ON_FASTIFY)('many tools that are offered guarded, on %s', (adapter) => {
  const closers = new Closers();
  afterEach(() => closers.close());

  it('are asked about at once without a warning of Node', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `read_${index}`);
    const controller = controllerOf(names);
    const app = await closers.open({
      adapter,
      controllers: [controller],
      exposeControllers: [controller],
      tools: { offer: 'guarded' },
      steps: ['Hello.'],
    });
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const response = await fetch(`${app.url}/agent/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    });
    expect(await response.json()).toMatchObject({ message: 'Hello.' });
    process.off('warning', warn);
    const [request] = app.model.requests;
    const offered = request?.tools.map(({ name }) => name);
    expect(offered).toEqual(expect.arrayContaining(names.map((name) => `many_${name}`)));
    expect(warnings).toEqual([]);
  });
});
