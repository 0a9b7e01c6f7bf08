import { journeys } from './support/react-journeys';
import { PlainChat } from './support/react-chat';

describe('useChat', () => {
  journeys({
    path: '/use-chat.html',
    title: 'useChat',
    edits: false,
    replays: true,
    remakes: true,
    chatOf: (page) => new PlainChat(page),
  });
});
