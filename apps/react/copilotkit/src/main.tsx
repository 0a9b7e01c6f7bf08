import { mount } from '../../src/shared/shell';
import { Conversation } from './conversation';

mount('CopilotKit', Conversation);
