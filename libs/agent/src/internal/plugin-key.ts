/** The static member in which the compiler plugin stores its metadata of a class. */
export const PLUGIN_KEY = '_NESTJS_AGENT_METADATA';
