export const MODEL: string;
export const SYSTEM_PROMPT: string;
export const TOOL_NAME: string;
export const TOOL_DESCRIPTION: string;
export const MAX_STEPS: number;

/** The order as the shop's database would have it. */
export function findOrder(id: number): Readonly<Record<string, unknown>>;
