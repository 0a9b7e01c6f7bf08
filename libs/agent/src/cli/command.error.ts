/** The command's input is invalid. The message names the problem and its remedy. */
export class CommandError extends Error {}
