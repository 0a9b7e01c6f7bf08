// Stands for fast-check in the tests. Properties try the same values in every run, so that a change
// is red for what it changed. FC_SEED=random tries others, FC_SEED=<number> those of a report.
const { dirname, join } = require('node:path');
const { env } = require('node:process');

const folder = dirname(require.resolve('fast-check/package.json'));
const fastCheck = require(join(folder, 'lib/cjs/fast-check.js'));
const { FC_SEED = '20260101' } = env;

fastCheck.configureGlobal({ seed: FC_SEED === 'random' ? Date.now() : Number(FC_SEED) });

module.exports = fastCheck;
