#!/usr/bin/env node
// The command for this workspace: its sources, run without a build.
require('../../../test/support/typescript-hook.cjs');
require('../src/cli/bin.ts');
