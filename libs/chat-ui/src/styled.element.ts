// Where there is no document (a server that renders pages), the class can still be imported.
const Base = globalThis.HTMLElement ?? class {};

/** An element with its own styles, whose properties may be set before it is defined. */
export class StyledElement extends Base {
  constructor(styles: string, options: Partial<ShadowRootInit> = {}) {
    super();
    const root = this.attachShadow({ mode: 'open', ...options });
    // A constructed sheet is no inline style, so a strict content security policy allows it.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
  }

  /** By the nearest element with a language, also outside the enclosing shadow trees. */
  protected readonly isSpoken = (language: string): boolean => this.matches(`:lang(${language})`);

  /** A property set before the element was defined hides the accessor, so it is set again. */
  protected takeOver(...names: readonly (keyof this)[]): void {
    for (const name of names) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      Reflect.deleteProperty(this, name);
      this[name] = value;
    }
  }
}
