// Prints "N passed, N failed" from Jest's JSON results, all suites together. A suite that could not
// run counts as one failure, and so does a run without results. Exits with 1 where a test or a step
// before failed.
import { existsSync, readFileSync } from 'node:fs';

const [failedSteps, ...files] = process.argv.slice(2);
const counts = files.map(count);
const passed = sum(counts.map((each) => each.passed));
const failed = sum(counts.map((each) => each.failed));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || Number(failedSteps) > 0 ? 1 : 0;

function count(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text.trim() === '') return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(text);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
