// Imports what the programs of `npm test` import, and ends: packs.ts has it packed.
import 'reflect-metadata';
import '@nestjs/platform-express';
import '../../../apps/console/src/console.module';
import '../../../apps/demo/src/app.module';
