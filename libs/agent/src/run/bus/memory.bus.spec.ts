import { describeRunBus } from '../../testing';
import { memoryBus } from './memory.bus';

describeRunBus('memoryBus', { create: () => memoryBus() });
