// Every text that users of the chat read or hear, in one place. To change or translate the chat,
// change this file: the compiler names missing ones. Texts for the model stand with the tools.
import type { StopReason } from './wire/protocol';

export const TEXTS = {
  heading: 'Agent',
  openChat: 'Open chat',
  closeChat: 'Close chat',
  newSession: 'New session',
  conversation: 'Conversation',
  loading: 'Loading…',
  loadingToSend: 'Loading… Your message is sent after that.',
  reconnecting: 'Connection lost. Reconnecting…',
  dismiss: 'Dismiss notification',
  retry: 'Retry',

  connecting: 'Connecting',
  connected: (model: string) => `Connected, model ${model}`,
  unreachable: 'The server cannot be reached',

  greeting: 'How can I help?',
  suggestions: 'Some of what you can ask for:',

  pastSessions: 'Past sessions',
  closePastSessions: 'Close past sessions',
  noSessions: 'There are none yet.',
  moreSessions: 'Show more',
  untitledSession: 'Session',
  deleteSession: (title: string) => `Delete session: ${title}`,
  sessionWaits: ' · waits for you',
  sessionRuns: ' · running',

  message: 'Message',
  placeholder: 'Ask something…',
  send: 'Send',
  stop: 'Stop',

  attach: 'Attach',
  attachHint: 'Attach pictures or files',
  attachments: 'Attachments',
  attached: (names: string) => `Attached: ${names}.`,
  removed: (name: string) => `Removed: ${name}.`,
  remove: (name: string) => `Remove ${name}`,
  picture: 'Picture',
  file: 'File',
  tooMany: (count: number, most: number) =>
    `These are ${count} attachments; usually at most ${most} are accepted.`,
  tooLarge: (name: string, size: string, largest: string) =>
    `${name} has ${size}; usually at most ${largest} are accepted.`,
  uploading: 'Sending the attachments…',

  user: 'You',
  edit: 'Edit',
  editMessage: 'Edit message',
  yourMessage: 'Your message',
  editHint: 'The answer to it, and all that followed, is replaced.',
  save: 'Save',
  cancel: 'Cancel',
  sending: 'Sending…',

  agent: 'Agent',
  working: 'The agent is working',
  thinking: 'Thinking…',
  thoughts: 'Thoughts',
  compacted: 'Earlier messages were summarised.',
  regenerate: 'Regenerate',
  sources: 'Sources',
  table: 'Table',
  drawing: 'Drawing',
  tokens: (total: string, input: string, output: string) =>
    `${total} tokens (${input} in, ${output} out)`,
  stopped: 'Stopped.',
  /** How an answer ended, where it did not just end. */
  endings: {
    max_tokens: 'The answer was cut off: it reached its longest length.',
    refusal: 'The model declined to answer.',
    budget: 'The budget of this run is used up.',
    loop: 'Stopped: the agent went round in circles.',
    cancelled: 'Stopped.',
  } as Partial<Record<StopReason, string>>,

  code: 'Code',
  copy: (what: string) => `Copy ${what.toLowerCase()}`,
  copied: 'Copied',

  calls: {
    waiting: 'Waits for you',
    elsewhere: 'Waits for someone else',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    declined: 'Declined',
    expired: 'Expired',
    interrupted: 'Not finished',
  },
  ranInPage: ' runs in this page',
  ranAtProvider: ' ran at the provider of the model',
  arguments: 'Arguments',
  question: 'Question',
  askedAgent: (agent: string) => `What the agent “${agent}” does`,
  result: 'Result',
  error: 'Error',

  wantsToRun: 'The agent wants to run ',
  askedWantsToRun: (agent: string) => `The agent “${agent}” wants to run `,
  wrongValue: 'This is no valid value.',
  always: 'Always for this tool, in this session',
  approve: 'Approve',
  reject: 'Reject',
  edited: 'Edited',

  /** Read out while an answer is under way. */
  news: {
    approval: (tool: string) => `${tool} waits for your approval.`,
    askedApproval: (agent: string, tool: string) => `${agent}: ${tool} waits for your approval.`,
    running: (tool: string) => `Running ${tool}.`,
    uploading: 'Sending the attachments.',
    working: 'The agent is working.',
    complete: 'The answer is complete.',
  },

  problems: {
    network: 'The server cannot be reached.',
    loggedOut: 'You are not logged in.',
    status: (status: number) => `The server answered ${status}.`,
    unexpected:
      'The server gave an answer that this chat cannot read. An interceptor, a proxy or a log-in page may have taken its place.',
    sessionGone: 'That conversation is no longer there.',
    runLost: 'The connection was lost, and the rest of this answer can no longer be read.',
    stopped: 'Stopped. Nothing was changed here.',
    unreadable: (names: string) => `Not attached, for it cannot be read: ${names}.`,
  },
} as const;
