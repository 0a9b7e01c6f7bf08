// The command's reports of an evaluation. In every format, each text of a model or a tool passes
// `printable`.
export { junitReport } from './junit-report';
export { TextReport } from './text-report';
