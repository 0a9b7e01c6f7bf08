import { describeCrashes } from './crashes-lose-nothing.suite';

describeCrashes({ name: 'served PostgreSQL', parallel: 2 });
