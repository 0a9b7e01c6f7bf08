import { mount } from '../shared/shell';
import { Conversation } from './conversation';

mount('The element', Conversation);
