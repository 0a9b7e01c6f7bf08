// Views of content: markdown, code, attachments, drawings, and amounts as
// words. All of it may come from a model or a user, so nothing in here trusts its input.
export { Attachments } from './attachments';
export { CodeBlock } from './code-block';
export { Drawing } from './drawing';
export { bytes, count, duration, json, outputText, shortened, title, unseen, when } from './format';
export { Markdown } from './markdown';
