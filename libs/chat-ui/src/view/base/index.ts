// What every part of the view uses: the chat's context, icons, buttons, focus. Nothing in here knows
// what a message or a tool call looks like.
export { IconButton, Line } from './controls';
export { ChatContext, TextsContext, useChat, type ChatView, useTexts } from './chat-context';
export { focusLog, useChange } from './focus';
export { useGrowing } from './growing';
export { Icon, type IconName } from './icon';
export { memo } from './memo';
