import type { Theme } from './browser-tools';
import { jsonAttribute } from './json-attribute';
import { StyledElement } from './styled.element';
import type { OwnTexts } from './texts';

/** Properties that are reflected in an attribute of the same name. */
export class ReflectedElement extends StyledElement {
  get endpoint(): string {
    return this.getAttribute('endpoint') ?? '/agent';
  }
  set endpoint(value: string) {
    this.setAttribute('endpoint', value);
  }

  get mode(): 'page' | 'sidebar' {
    return this.getAttribute('mode') === 'sidebar' ? 'sidebar' : 'page';
  }
  set mode(value: 'page' | 'sidebar') {
    this.setAttribute('mode', value);
  }

  get theme(): Theme {
    const theme = this.getAttribute('theme');
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  }
  set theme(value: Theme) {
    this.setAttribute('theme', value);
  }

  get attachments(): 'on' | 'off' {
    return this.getAttribute('attachments') === 'off' ? 'off' : 'on';
  }
  set attachments(value: 'on' | 'off') {
    this.setAttribute('attachments', value);
  }

  get open(): boolean {
    return this.hasAttribute('open');
  }
  set open(value: boolean) {
    this.toggleAttribute('open', value);
  }
}

/** @throws TypeError where the attribute is no JSON */
export function parseHeaders(json: string | null): Readonly<Record<string, string>> {
  return jsonAttribute('agent-chat', 'headers', json) as Readonly<Record<string, string>>;
}

/** @throws TypeError where the attribute is no JSON */
export function parseTexts(json: string | null): OwnTexts {
  return jsonAttribute('agent-chat', 'texts', json) as OwnTexts;
}
