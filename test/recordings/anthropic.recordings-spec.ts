import { describeRecordings } from './describe-recordings';
import { describeRequests } from './describe-requests';

describeRecordings('anthropic');
describeRequests('anthropic');
