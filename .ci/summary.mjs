// Prints "N passed, N failed" from Jest's JSON results. A suite that could not run counts as one
// failure, and so does a run without results. Exits with 1 where a test or a step before failed.
import { readFileSync } from 'node:fs';

const [file, failedSteps] = process.argv.slice(2);
const { passed, failed } = count(readFileSync(file, 'utf8'));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || Number(failedSteps) > 0 ? 1 : 0;

function count(text) {
  if (text.trim() === '') return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(text);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}
