// Descriptions of a file's classes: of methods with `@Tool`, and of the properties of DTOs. Types
// arrive as templates; no code is emitted here.
export { analyzeFile, type DescribedClass, type FileAnalysis } from './file-analysis';
export { diagnosticOf, lineOf, type Problem, problemAt } from './problem';
