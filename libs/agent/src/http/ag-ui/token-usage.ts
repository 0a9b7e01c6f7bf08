import { addUsage, NO_USAGE, type Usage, usageSince } from '../../message';

/** The usage of one request, which may be a part of one run and the whole of another. */
export class RequestUsage {
  private readonly byModel = new Map<string, Usage>();

  /**
   * @param whole the usage of the run so far
   * @param before its usage before this request
   */
  add(model: string, whole: Usage, before: Usage): void {
    const own = usageSince(before, whole);
    this.byModel.set(model, addUsage(this.byModel.get(model) ?? NO_USAGE, own));
  }

  /** The usage of each model in AG-UI's form, without zeros; `undefined` if none was called. */
  perModel(): readonly object[] | undefined {
    const entries = [...this.byModel].flatMap(([model, { cacheWriteTokens, ...counts }]) => {
      const all = { ...counts, cacheWriteInputTokens: cacheWriteTokens };
      const known = Object.entries(all).filter(([, count]) => count > 0);
      return known.length > 0 ? [{ model, ...Object.fromEntries(known) }] : [];
    });
    return entries.length > 0 ? entries : undefined;
  }
}
