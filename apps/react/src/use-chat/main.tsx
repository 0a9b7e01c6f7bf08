import { mount } from '../shared/shell';
import { Conversation } from './conversation';

mount('useChat', Conversation);
