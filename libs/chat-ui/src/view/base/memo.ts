import { Component, h, type FunctionComponent } from 'preact';

/** A view that is rendered again only if its properties changed. */
export function memo<Props extends object>(View: FunctionComponent<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !hasSameValues<Props>(this.props, next);
    }

    override render() {
      return h<Props>(View, this.props as Props & { key?: string });
    }
  };
}

function hasSameValues<Props extends object>(before: Props, after: Props): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Props)[];
  return names.every((name) => before[name] === after[name]);
}
