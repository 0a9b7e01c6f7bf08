// Shared by every part of the view: the chat's context, icons, buttons, focus. Nothing here knows
// messages or tool calls.
export { Button } from './button';
export { IconButton, Line } from './controls';
export { ChatContext, TextsContext, useChat, type ChatView, useTexts } from './chat-context';
export { COMPOSING, focusLog, keepKey, useChange } from './focus';
export { useGrowing } from './growing';
export { Icon, type IconName } from './icon';
export { memo } from './memo';
