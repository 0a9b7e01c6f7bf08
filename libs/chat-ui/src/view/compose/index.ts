// Where the user writes and attaches. It knows the draft, and nothing of earlier messages.
export { Composer, type ComposerHandle } from './composer';
export { useFileDrop } from './file-drop';
