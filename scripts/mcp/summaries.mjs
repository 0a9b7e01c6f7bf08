// One-line summaries of a program's output.

/** The Inspector lists the tools. */
export function summaryOfInspector(output) {
  return `${JSON.parse(output).tools.length} tools`;
}

/** The conformance suite has called a server, in all scenarios of a revision. */
export function summaryOfServer(output) {
  const [, passed] = /^Total: (\d+) passed/m.exec(output);
  const expected = output.match(/^ {2}~ /gm) ?? [];
  return `${passed} checks passed, ${expected.length} entries of the baseline failed`;
}

/**
 * The conformance suite was called by a client, in one scenario.
 *
 * @throws Error if the scenario does not belong to the revision, so that nothing was checked
 */
export function summaryOfClient(output) {
  if (!output.startsWith('[')) throw new Error(output);
  const passed = JSON.parse(output).filter(({ status }) => status === 'SUCCESS');
  if (passed.length === 0) throw new Error('No check passed.');
  return `${passed.length} checks passed`;
}
