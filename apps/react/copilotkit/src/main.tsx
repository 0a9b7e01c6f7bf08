import { mount } from '../../src/shared/shell';
import { Conversation } from './conversation';

// Its styles go by a class, not by what the system prefers.
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.classList.toggle('dark', isDark);

mount('CopilotKit', Conversation);
