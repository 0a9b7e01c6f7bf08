import { describeSessionStore } from '../../testing/session-store-contract';
import { memoryStore } from './memory.store';

describeSessionStore('memoryStore()', { create: () => memoryStore() });
