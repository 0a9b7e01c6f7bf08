import { mount } from '../../src/shared/shell';
import { Conversation } from './conversation';

// Its styles depend on a class, not on the system's colour scheme.
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.classList.toggle('dark', isDark);

mount('CopilotKit', Conversation);
