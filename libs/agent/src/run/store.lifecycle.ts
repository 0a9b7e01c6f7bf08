import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SESSION_STORE, type SessionStore } from '../session';

/** Opens the session store with the application, and closes it when nothing can run any more. */
@Injectable()
export class StoreLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(SESSION_STORE) private readonly store: SessionStore) {}

  async onModuleInit(): Promise<void> {
    await this.store.open?.();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close?.();
  }
}
