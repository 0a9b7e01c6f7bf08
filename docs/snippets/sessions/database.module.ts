import { Module } from '@nestjs/common';
import { Pool } from 'pg';

export const DATABASE = Symbol('database');

/** Stands for the module that holds your application's connections. */
@Module({
  providers: [
    {
      provide: DATABASE,
      useFactory: () => new Pool({ connectionString: process.env.DATABASE_URL }),
    },
  ],
  exports: [DATABASE],
})
export class DatabaseModule {}
