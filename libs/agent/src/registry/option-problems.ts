/**
 * The problems of the options of a tool or a toolkit, each beginning with the option's path: options
 * that do not exist, and values that they do not take. Not every build checks types, and a misspelt
 * `permission` would leave a tool unguarded.
 */
export function optionProblems(
  kind: 'tool' | 'toolkit' | 'runtimeTool' | 'runtimeToolkit',
  options: unknown,
): readonly string[] {
  const { CHECKS, problemsOf } = checks();
  return problemsOf(CHECKS[kind], options, 'options').map((problem) =>
    problem.replace(/^options\./, ''),
  );
}

function checks(): typeof import('./tool-option-checks') {
  return require('./tool-option-checks') as typeof import('./tool-option-checks');
}
