import { BootReport, subjectOf } from './boot-report';

describe('the boot report', () => {
  const printed: string[] = [];
  const report = (): BootReport => new BootReport((message) => printed.push(message));

  beforeEach(() => {
    printed.length = 0;
  });

  it('is one message, grouped by subject, each warning once', () => {
    const warnings = report();
    warnings.add('orders_find (OrdersController.find)', 'The parameter "id" has no description.');
    warnings.add('get_me (MeController.find)', 'Its response describes nothing.');
    warnings.add('orders_find (OrdersController.find)', 'The parameter "q" may be anything.');
    warnings.add('orders_find (OrdersController.find)', 'The parameter "id" has no description.');
    warnings.print();
    warnings.print();
    expect(printed).toEqual([
      [
        'Some tools may not work as you expect:',
        '  orders_find (OrdersController.find)',
        '    - The parameter "id" has no description.',
        '    - The parameter "q" may be anything.',
        '  get_me (MeController.find)',
        '    - Its response describes nothing.',
      ].join('\n'),
    ]);
  });

  it('is not printed where there is no warning', () => {
    report().print();
    expect(printed).toEqual([]);
  });

  it('says how many warnings it leaves out', () => {
    const warnings = report();
    for (let index = 0; index < 9; index += 1) warnings.add('one', `warning ${index}`);
    for (let index = 0; index < 100; index += 1) warnings.add(`subject ${index}`, 'warning');
    warnings.print();
    const lines = (printed[0] ?? '').split('\n');
    expect(lines.filter((line) => line.startsWith('    - '))).toHaveLength(60);
    expect(lines.at(-1)).toBe('  49 more are not shown.');
  });

  it('prints a slight warning of many tools as one line', () => {
    const warnings = report();
    for (let index = 0; index < 30; index += 1) {
      warnings.add(`subject ${index}`, `no description of "${index}"`, 'no descriptions');
      if (index === 20) warnings.add(`subject ${index}`, 'never reached');
    }
    warnings.print();
    expect(printed[0]?.split('\n')).toEqual([
      'Some tools may not work as you expect:',
      '  subject 20',
      '    - never reached',
      '  30 tools have no descriptions: subject 0, subject 1, subject 2, subject 3, subject 4 and 25 more.',
    ]);
    expect(warnings.about('subject 9')).toEqual(['no description of "9"']);
  });

  it('prints a slight warning of few tools as any other', () => {
    const warnings = report();
    for (const subject of ['one', 'two', 'three'])
      warnings.add(subject, 'no "id"', 'no descriptions');
    warnings.print();
    expect(printed[0]).toContain('  three\n    - no "id"');
    expect(printed[0]).not.toContain('no descriptions');
  });

  it('logs later warnings at once, each once, and a bounded number', () => {
    const warnings = report();
    warnings.add('known', 'warning');
    warnings.print();
    printed.length = 0;
    warnings.add('known', 'warning');
    warnings.add('late', 'warning');
    warnings.add('late', 'warning');
    expect(printed).toEqual(['late: warning']);
    for (let index = 0; index < 100; index += 1) warnings.add('late', `warning ${index}`);
    expect(printed).toHaveLength(61);
    expect(printed.at(-1)).toBe('Further warnings about tools are not logged.');
  });

  it('names a tool and where it is declared', () => {
    const definition = { name: 'add', description: '', input_schema: { type: 'object' } } as const;
    expect(subjectOf({ definition, source: 'MathTools.add' })).toBe('add (MathTools.add)');
  });
});
