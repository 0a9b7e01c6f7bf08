/** JSON Schema of one argument. */
type Argument = {
  readonly type: 'string' | 'number' | 'boolean';
  readonly description: string;
};

interface BrowserTool {
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: { readonly type: 'object'; readonly properties: Record<string, Argument> };
  readonly run: (input: Record<string, unknown>) => unknown;
}

/** The tools of this page, by name. */
export const browserTools: Readonly<Record<string, BrowserTool>> = {
  page_title: {
    description: 'The title of the page the user looks at',
    parameters: { type: 'object', properties: {} },
    run: () => ({ title: document.title }),
  },
};

/** The tool of that name, if it is one of this page: names come from the model. */
export function browserTool(name: string): BrowserTool | undefined {
  return Object.hasOwn(browserTools, name) ? browserTools[name] : undefined;
}
