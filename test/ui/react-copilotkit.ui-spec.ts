import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { REACT_PAGES } from './support/react-browser';
import { CopilotChat } from './support/react-chat';
import { journeys } from './support/react-journeys';

// Its packages are many, so they are installed only where they are wanted.
const isInstalled = existsSync(join(REACT_PAGES, 'copilotkit/node_modules'));

if (isInstalled) {
  describe('CopilotKit', () => {
    journeys({
      path: '/copilotkit.html',
      title: 'CopilotKit',
      edits: true,
      replays: false,
      chatOf: (page) => new CopilotChat(page),
    });
  });
} else {
  it.skip('CopilotKit: "npm ci --prefix apps/react/copilotkit" installs what it needs', () => {});
}
