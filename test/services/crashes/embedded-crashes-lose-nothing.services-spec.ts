import { describeCrashes } from './crashes-lose-nothing.suite';

describeCrashes({ name: 'embedded PostgreSQL', parallel: 1 });
