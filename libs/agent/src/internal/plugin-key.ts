/** The static member in which the compiler plugin leaves what it knows of a class. */
export const PLUGIN_KEY = '_NESTJS_AGENT_METADATA';
