// The applications with each kind of telemetry, and one model for all of them.
import { setFlagsFromString } from 'node:v8';
import { type Started, start } from './telemetry-app';
import { register, tracerProvider, VARIANTS } from './telemetry-variants';

const [baseURL = ''] = process.argv.slice(2);
const started: Started[] = [];

async function startAll(): Promise<void> {
  for (const variant of VARIANTS) started.push(await start(variant, baseURL));
  process.send?.(started.map(({ url }) => url));
}

/** The variant with the number has its turn; without one, no more code is optimised. */
async function take(variant: (typeof VARIANTS)[number] | undefined): Promise<void> {
  if (variant === undefined) {
    for (const compiler of ['maglev', 'opt']) setFlagsFromString(`--no-${compiler}`);
  } else {
    register(variant);
  }
  for (const { store } of started) await store.deleteAll();
  await tracerProvider.forceFlush();
  process.send?.('done');
}

process.on('message', (index) => void take(VARIANTS[Number(index)]));
process.on('disconnect', () => process.exit());
void startAll();
