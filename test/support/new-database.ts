export { newDatabase } from '../../libs/agent/src/sql/fixtures/new-database';
