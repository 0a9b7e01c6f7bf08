import { journeys } from './support/react-journeys';

describe('assistant-ui over the protocol of the AI SDK', () => {
  journeys({
    path: '/assistant-ui.html',
    title: 'assistant-ui',
    edits: false,
    replays: true,
    editsMessages: true,
  });
});
