import type { ToolDefinition } from '../../tool';

/** The word for the current user, in requests and in the names of tools. */
export const SELF = 'caller';

const OWN = 'profile|account|identity|user|username|name|e-?mail|roles?|details';

/** Questions about the current user: "who am I", "show my profile", "which user am I". */
const ABOUT_SELF = new RegExp(
  [
    String.raw`\bwho\s*(?:am\s+i|i\s+am)\b`,
    String.raw`\b(?:which|what)\s+(?:user|account)\s+am\s+i\b`,
    String.raw`\bam\s+i\s+(?:logged|signed)\s+in\b`,
    String.raw`\b(?:am\s+i\s+)?(?:logged|signed)\s+in\s+as\b`,
    String.raw`\babout\s+(?:me|myself)\b`,
    String.raw`\bmy\s+(?:own\s+)?(?:${OWN})\b(?!\s+(?:of|for)\b)`,
    String.raw`\bcurrent\s+user\b`,
  ].join('|'),
  'gi',
);

const SELF_NAME =
  /(?:^| )(?:me|myself|self|whoami|who am i|profile|(?:current|own) (?:user|account))(?: |$)/;
const SELF_DESCRIPTION =
  /\bwho (?:is|am) (?:logged in|i\b|the (?:current )?(?:user|caller))|^(?:get|show|return|tell|read)s? (?:the )?(?:profile of the )?(?:current|logged[- ]in|authenticated) user\b/i;

/** A request with the current user named as in tool names. */
export function withSelf(request: string): string {
  return request.replace(ABOUT_SELF, ` show ${SELF} `);
}

/** Whether a tool reads the current user without a parameter for it. */
export function isAboutSelf({ description, input_schema }: ToolDefinition, name: string): boolean {
  if ((input_schema.required ?? []).length > 0) return false;
  return SELF_NAME.test(name.toLowerCase()) || SELF_DESCRIPTION.test(description);
}
