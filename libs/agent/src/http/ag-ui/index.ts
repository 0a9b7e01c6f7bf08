// AG-UI: request reader, plan of a request, encoder, history, capabilities.
export { attachmentsIn } from './ag-ui-content';
export { type AgUiInput, agUiInputOf } from './ag-ui-input';
export { AgUiRuns } from './ag-ui.runs';
export { AgUiTurns } from './ag-ui.turns';
export { capabilitiesOf } from './capabilities';
export { historyOf } from './history';
