// Checks of the options of modules, on valibot, and the error that lists every problem. Import it
// on demand: it loads valibot.
export * from './option-check';
export * from './shared-options';
