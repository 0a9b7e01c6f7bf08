import type * as ts from 'typescript';
import { analyzeFile, type FileAnalysis } from '../classes';
import { canReach } from '../code';
import type { PluginSettings } from '../plugin-options';

/** The descriptions of one compilation's files. */
export class Analyses {
  constructor(
    private readonly program: ts.Program,
    private readonly settings: PluginSettings,
    /** By file: a watch build hands an unchanged file to the next program as the same object. */
    private readonly known: WeakMap<ts.SourceFile, FileAnalysis>,
  ) {}

  /** The description of a file; reused if neither the file nor its dependencies have changed. */
  of(file: ts.SourceFile): FileAnalysis {
    const present = this.known.get(file);
    if (present && this.isFresh(present)) return present;
    const made = analyzeFile(file, this.program, this.settings, canReach);
    this.known.set(file, made);
    return made;
  }

  /** The described files whose types have changed in other files since they were emitted. */
  outdated(): readonly ts.SourceFile[] {
    return this.program.getSourceFiles().filter((file) => {
      const present = this.known.get(file);
      return present !== undefined && present.classes.length > 0 && !this.isFresh(present);
    });
  }

  /** The described files that depend on others. */
  resting(): readonly ts.SourceFile[] {
    return this.program
      .getSourceFiles()
      .filter(({ isDeclarationFile }) => !isDeclarationFile)
      .filter((file) => {
        const { classes, dependencies } = this.of(file);
        return classes.length > 0 && dependencies.size > 0;
      });
  }

  private isFresh({ dependencies }: FileAnalysis): boolean {
    for (const file of dependencies)
      if (this.program.getSourceFile(file.fileName) !== file) return false;
    return true;
  }
}
