import { mount } from '../shared/shell';
import { Conversation } from './conversation';

mount('assistant-ui over AG-UI', Conversation);
