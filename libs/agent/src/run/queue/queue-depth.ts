import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { settledWithin } from '../../internal';
import { Telemetry } from '../../telemetry';
import { RUN_QUEUE } from '../request';
import type { RunQueue } from './run-queue';

const WITHIN_MS = 1_000;

/** Lets telemetry query the queue's length. Costs nothing unless it does. */
@Injectable()
export class QueueDepth implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    @Inject(RUN_QUEUE) private readonly queue: RunQueue | null,
    @Optional() private readonly telemetry?: Telemetry,
  ) {}

  onApplicationBootstrap(): void {
    const { queue } = this;
    if (queue === null) return;
    this.telemetry?.queue({ depth: () => depthOf(queue), closing: this.closing.signal });
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}

/** Outages are logged by the queue's other users. */
async function depthOf(queue: RunQueue): Promise<number | undefined> {
  let depth: number | undefined;
  const asked = queue.size().then(
    (size) => (depth = size),
    () => undefined,
  );
  await settledWithin(asked, WITHIN_MS);
  return depth;
}
