import { journeys } from './support/react-journeys';

describe('assistant-ui over AG-UI', () => {
  journeys({ path: '/ag-ui.html', title: 'assistant-ui over AG-UI', edits: true, replays: false });
});
