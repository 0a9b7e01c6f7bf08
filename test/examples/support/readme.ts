import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Example } from './example';

const EXAMPLES = join(__dirname, '../../../examples');
const FENCE = /```(?<language>\w+)\n(?<content>[^]*?)```/g;
const NEXT = '--- next command ---';

interface Step {
  readonly command: string;
  readonly answer: string;
}

/** The commands of a README that have an answer: the shell's blocks, each with the one below it. */
export function stepsOf(name: string): readonly Step[] {
  const text = readFileSync(join(EXAMPLES, name, 'README.md'), 'utf8');
  const fences = [...text.matchAll(FENCE)].map(({ groups }) => ({ ...groups }));
  return fences.flatMap(({ language, content = '' }, index) => {
    const answer = fences[index + 1];
    if (language !== 'sh' || !answer || answer.language === 'sh') return [];
    return [{ command: content, answer: answer.content ?? '' }];
  });
}

/** Tells that an example starts as its README says, and that each command has the answer below it. */
export function describeReadme(
  name: string,
  more: (example: () => Example) => void = () => undefined,
  environment: () => Promise<NodeJS.ProcessEnv> = () => Promise.resolve({}),
): void {
  describe(`the example ${name}`, () => {
    let example: Example;
    beforeAll(async () => {
      example = await Example.start(name, await environment());
    });
    afterAll(() => example?.stop());

    it('answers as its README says', async () => {
      const steps = stepsOf(name);
      expect(steps.length).toBeGreaterThan(0);
      // One shell, since commands use the variables of those before.
      const commands = steps.map(({ command }) => command).join(`echo; echo '${NEXT}'\n`);
      const printed = (await example.shell(commands)).split(`\n${NEXT}\n`);

      steps.forEach(({ answer }, index) =>
        expectAnswer(printed[index] ?? '', answer.replaceAll(':3000', `:${example.port}`)),
      );
    });

    more(() => example);
  });
}

/** An ellipsis stands for any text; JSON may have more fields than are shown. */
function expectAnswer(printed: string, shown: string): void {
  if (!/^[[{]/.test(shown)) return expect(printed.trim()).toMatch(patternOf(shown.trim()));
  const pattern = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? expect.stringMatching(patternOf(value)) : value;
  expect(JSON.parse(printed)).toMatchObject(JSON.parse(shown, pattern) as object);
}

function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}
