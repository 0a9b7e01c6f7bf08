import { describeRecordings } from './describe-recordings';
import { describeRequests } from './describe-requests';

describeRecordings('responses');
describeRequests('responses');
