// Which test files run in a scope of their own, as Jest does it, with every module loaded again: those
// that replace modules or timers, those of recordings and of the package, and all files while Jest watches
// or counts coverage.
const { readFileSync } = require('node:fs');

const REPLACES =
  /\bjest\.(?:mock|doMock|setMock|unstable_mockModule|isolateModules|resetModules|useFakeTimers)/;
const OTHER_SUITE = /\.(?:recordings|package)-spec\.ts$/;

exports.needsOwnScope = (testPath, { collectCoverage, watch, watchAll }) =>
  collectCoverage ||
  watch ||
  watchAll ||
  OTHER_SUITE.test(testPath) ||
  REPLACES.test(readFileSync(testPath, 'utf8'));
