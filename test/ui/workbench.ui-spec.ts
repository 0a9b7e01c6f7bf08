import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  Module,
  Param,
  Post,
  UseFilters,
  UseGuards,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type PipeTransform,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AgentModule, Tool, ToolField, ToolParam, type AgentModuleOptions } from 'nestjs-agent';
import type { EvalFile } from 'nestjs-agent/evals';
import { McpPrompt, McpResource, McpServerModule } from 'nestjs-agent/mcp';
import { Barrier, ScriptedModel } from 'nestjs-agent/testing';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { LoginGuard, MathTools, removed } from '../http/agent-app';
import { AppBrowser, during } from './support/app-browser';
import { violations } from './support/violations';

const EVIL = '<img src=x onerror="window.hacked=1">';
const PROTO = JSON.parse(
  `{ "__proto__": { "type": "string", "description": ${JSON.stringify(EVIL)} } }`,
) as object;

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('The shop is closed.');
  }
}

@Injectable()
class EvenPipe implements PipeTransform {
  transform(value: unknown): unknown {
    if (Number(value) % 2 === 1) throw new BadRequestException('Only even numbers.');
    return value;
  }
}

@Catch(HttpException)
class TeapotFilter implements ExceptionFilter {
  catch(): never {
    throw new HttpException('A teapot now.', 418);
  }
}

class Refund {
  @ToolField({ description: 'The reason' })
  reason!: string;

  @ToolField({ description: 'The secret of the till', sensitive: true })
  pin!: string;

  @ToolField({ description: 'Preset, and redacted by its name' })
  token!: string;
}

@Injectable()
class ShopTools {
  @Tool({ description: 'The shelf of a number', readOnly: true })
  @UsePipes(EvenPipe)
  find_shelf(@ToolParam('shelf', { description: 'Its number' }) shelf: number): number {
    return shelf;
  }

  @Tool({ description: 'Fails as a teapot', readOnly: true })
  @UseFilters(TeapotFilter)
  brew_tea(): never {
    throw new BadRequestException('not told');
  }

  @Tool({ description: 'Count the takings of the night', readOnly: true, group: 'night' })
  count_takings(): number {
    return 7;
  }

  @Tool({ description: 'Sell the shop', destructive: true })
  sell_shop(): string {
    return 'never';
  }

  @McpResource({ uri: 'shop://hours', name: 'hours', description: 'Opening hours' })
  hours(): string {
    return '9 to 5';
  }

  @McpPrompt({ name: 'greet', description: 'Greets a customer' })
  greet(@ToolParam('customer') customer: string): string {
    return `Hello ${customer}`;
  }

  @Tool({ description: 'Open the till', readOnly: true })
  @UseGuards(Closed)
  open_till(): string {
    return 'never';
  }

  @Tool({
    name: 'read_reviews',
    description: `Hostile ${EVIL}`,
    readOnly: true,
    input: { type: 'object', properties: PROTO, additionalProperties: true },
  })
  reviews(): object {
    return { [EVIL]: EVIL };
  }

  @Tool({ description: 'Find books in a catalogue of a great many books', readOnly: true })
  find_books(
    @ToolParam('title', { description: 'Words of the title' }) title: string,
    @ToolParam('isNew', { description: 'Only new ones', required: false }) isNew?: boolean,
  ): object {
    if (title === 'none') throw new BadRequestException('There is no such book.');
    return { books: [title], isNew: isNew ?? null };
  }
}

@Controller('orders')
class OrdersController {
  @Tool({ name: 'list_orders', description: 'The orders' })
  @Get()
  list(): readonly object[] {
    return [{ id: 7, status: 'sent' }];
  }

  @Tool({ name: 'refund_order', description: 'Pay an order back' })
  @Post(':id/refunds')
  refund(@Param('id') id: string, @Body() { reason }: Refund): object {
    return { id, reason };
  }
}

const model = new ScriptedModel([]);
const big = new ScriptedModel([], { name: 'big-model' });
/** Answers for the agent `orders`, which the shop's own agent may ask. */
const orders = new ScriptedModel([], { name: 'orders-model' });

const FOLDER = mkdtempSync(join(tmpdir(), 'nestjs-agent-workbench-'));
const EVALS = join(FOLDER, 'shop.evals.json');
const YAML = join(FOLDER, 'orders.evals.yaml');
const writeEvals = (contents: EvalFile | string): void =>
  writeFileSync(EVALS, typeof contents === 'string' ? contents : JSON.stringify(contents));
const PRICES = { input: 400, output: 1_600 };
/** Nothing that follows a backtrack of this ends within a lifetime. */
const SLOW = '^(a+)+$';

/** The workbench as a developer meets it: by what its parts are called. */
class WorkbenchPage {
  constructor(readonly page: Page) {}

  tab(name: 'Tools' | 'Try' | 'Runs' | 'Evaluate'): Locator {
    return this.page.getByRole('tab', { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  async try(tool: string, fields: Readonly<Record<string, string>> = {}): Promise<Locator> {
    await this.tab('Try').click();
    await this.page.getByLabel('Tool', { exact: true }).selectOption(tool);
    for (const [name, value] of Object.entries(fields)) {
      await this.page.getByLabel(name).first().fill(value);
    }
    await this.button('Call as me').click();
    const result = this.page.getByRole('region', { name: 'Result', exact: true });
    await result.waitFor();
    return result;
  }
}

interface Asked {
  readonly sessionId: string;
  readonly runId: string;
  readonly pendingActions: readonly { readonly callId: string }[];
}

class WorkbenchBrowser extends AppBrowser {
  private readonly problems: string[] = [];

  constructor(
    adapter: AbstractHttpAdapter = new ExpressAdapter(),
    more: Partial<AgentModuleOptions> = {},
  ) {
    super(async () => {
      @Module({
        imports: [
          McpServerModule.forRoot({ decorators: [UseGuards(LoginGuard)] }),
          AgentModule.forRoot({
            name: 'shop',
            model,
            models: { big },
            agents: ['orders'],
            workbench: { when: 'development', evals: EVALS },
            systemPrompt: 'You help the staff of a bookshop.',
            decorators: [UseGuards(LoginGuard)],
            permissions: { sell_shop: 'deny' },
            presets: { refund_order: { token: 'preset-secret' } },
            groups: [{ name: 'night', description: 'At night', active: false }],
            budget: {
              cost: {
                max: 100,
                prices: { scripted: PRICES, 'big-model': PRICES, 'orders-model': PRICES },
              },
            },
            ...more,
          }),
          AgentModule.forFeature({
            name: 'orders',
            description: 'Knows the orders',
            model: orders,
            models: {},
            decorators: [UseGuards(LoginGuard)],
            tools: { include: ['list_orders'] },
            workbench: { evals: YAML },
          }),
          AgentModule.forFeature({ name: 'till', decorators: [UseGuards(LoginGuard)] }),
        ],
        controllers: [OrdersController],
        providers: [MathTools, ShopTools],
      })
      class ShopModule {}

      const testing = await Test.createTestingModule({ imports: [ShopModule] }).compile();
      return testing.createNestApplication(adapter, { logger: false });
    });
  }

  /** As a user with a cookie would come: the browser itself says who it is. */
  async as(
    user: string,
    options: BrowserContextOptions = {},
    agent = 'agent',
  ): Promise<WorkbenchPage> {
    const headers = { authorization: `Bearer ${user}` };
    const page = await this.open({ extraHTTPHeaders: headers, ...options });
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`));
    page.on('console', (line) => {
      if (/Content Security Policy/i.test(line.text())) this.problems.push(line.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address)) this.problems.push(`asked for ${request.url()}`);
    });
    await page.goto(`/${agent}/workbench`);
    await page.getByRole('tab', { name: 'Tools' }).waitFor();
    return new WorkbenchPage(page);
  }

  /** A run of this user, approved. */
  async converse(user: string, message: string): Promise<void> {
    model.push(
      { text: 'I look.', toolCalls: [{ name: 'list_orders' }] },
      { toolCalls: [{ name: 'remove_file', input: { name: 'old.txt' } }] },
      'Order 7 was sent, and old.txt is gone.',
    );
    const { runId, pendingActions } = await this.ask(user, 'chat', { message });
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    await this.ask(user, `runs/${runId}/actions`, { actions });
  }

  async ask(user: string, path: string, body: object): Promise<Asked> {
    const response = await fetch(`${this.address}/agent/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Asked;
  }

  override async closePages(): Promise<void> {
    await super.closePages();
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(`In the browser:\n${problems.join('\n')}`);
  }
}

/** Pictures are taken where a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.UI_PICTURES;
  if (folder === undefined) return;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['desk', { viewport: { width: 1_200, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
];

describe('the workbench on Fastify', () => {
  const shop = during(new WorkbenchBrowser(new FastifyAdapter()));

  it('lists tools, calls one, and shows a run', async () => {
    const bench = await shop.as('alice');
    await bench.page.getByText(/^\d+ tools, about \d+ tokens$/).waitFor();
    const result = await bench.try('list_orders');
    await result.getByText('Executed', { exact: true }).waitFor();
    await shop.converse('alice', 'where is order 7?');
    await bench.tab('Runs').click();
    await bench.page.getByText('where is order 7?').first().waitFor();
  });
});

describe('the workbench in a browser', () => {
  const shop = during(new WorkbenchBrowser());

  it('is not there without a log-in', async () => {
    const page = await shop.open();
    const response = await page.goto('/agent/workbench');
    expect(response?.status()).toBe(401);
  });

  it('is in the language of its page', async () => {
    const page = await shop.open({ extraHTTPHeaders: { authorization: 'Bearer alice' } });
    await page.route('**/agent/workbench', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('<html lang="en">', '<html lang="de">');
      await route.fulfill({ response, body });
    });
    await page.goto('/agent/workbench');
    await page.getByText(/^\d+ Werkzeuge, etwa \d+ Token$/).waitFor();
    await page.getByRole('tab', { name: 'Läufe' }).click();
    await page.getByRole('searchbox', { name: 'Ihre Läufe durchsuchen' }).waitFor();
  });

  it('lists tools, filters them, and shows one in the words of a provider', async () => {
    const { page } = await shop.as('alice');
    await page.getByText(/^\d+ tools, about \d+ tokens$/).waitFor();
    await page.getByText('Tokens are estimated: o200k_base').waitFor();
    await page.getByLabel('Filter tools').fill('order');
    await page.getByRole('button', { name: /list_orders/ }).click();
    await page.getByText('OrdersController.list').waitFor();
    await page.getByText('allowed').waitFor();
    await page.getByLabel('As told to').selectOption('openai');
    await page.getByRole('group', { name: 'Definition' }).getByText('"strict": true').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'list_orders' }).waitFor();
  });

  it('calls a tool from a form, and as JSON', async () => {
    const bench = await shop.as('alice');
    const result = await bench.try('find_books', { title: 'Nest' });
    await result.getByText('Executed', { exact: true }).waitFor();
    await result.getByRole('group', { name: 'What the model reads' }).getByText('Nest').waitFor();
    await result.getByRole('row', { name: /handler ShopTools\.find_books/ }).waitFor();
    await bench.page.getByLabel('Arguments as JSON').check();
    await bench.page.getByLabel('Arguments', { exact: true }).fill('[1]');
    await bench.button('Call as me').click();
    await bench.page.getByRole('alert').getByText('must be a JSON object').waitFor();
    await bench.page.getByLabel('Arguments', { exact: true }).fill('{"title":7}');
    await bench.button('Call as me').click();
    await result.getByText('invalid_arguments').waitFor();
    await result.getByText('It failed in the stage “checks”.').waitFor();
  });

  it('shows the request of a route, and a guard that refuses', async () => {
    const bench = await shop.as('alice');
    const answered = await bench.try('list_orders');
    await answered.getByRole('group', { name: 'Request' }).getByText('GET /orders').waitFor();
    const refused = await bench.try('open_till');
    await refused.getByText('It failed in the stage “guards”: Closed.').waitFor();
    await refused.getByText('The shop is closed.').first().waitFor();
  });

  it('shows a pipe and a filter that failed, and the request of a route without secrets', async () => {
    const bench = await shop.as('alice');
    const piped = await bench.try('find_shelf', { shelf: '3' });
    await piped.getByText('It failed in the stage “pipes”: EvenPipe.').waitFor();
    await piped.getByText('Only even numbers.').first().waitFor();
    const filtered = await bench.try('brew_tea');
    await filtered.getByRole('row', { name: /filters TeapotFilter/ }).waitFor();
    await filtered.getByText('A teapot now.').first().waitFor();
    const fields = { id: '7', reason: 'torn', pin: '4321' };
    const refund = await bench.try('refund_order', fields);
    await bench.button('Approve').click();
    await refund.getByText('Executed', { exact: true }).waitFor();
    const request = await refund.getByRole('group', { name: 'Request' }).innerText();
    expect(request).toMatch(/^POST \/orders\/7\/refunds\s+\{/);
    expect(JSON.parse(request.slice(request.indexOf('{')))).toEqual({
      reason: 'torn',
      pin: '[redacted]',
      token: '[redacted]',
    });
    await refund.locator('summary').getByText('Arguments as executed').click();
    const sent = refund.getByRole('group', { name: 'Arguments as executed' });
    await sent.getByText('"pin": "[redacted]"').waitFor();
    expect(await refund.innerText()).not.toMatch(/4321|preset-secret|bearer|authorization/i);
  });

  it('waits for an approval', async () => {
    removed.length = 0;
    const bench = await shop.as('alice');
    const result = await bench.try('remove_file', { name: 'a.txt' });
    await result.getByText('Waits for your approval').waitFor();
    expect(removed).toEqual([]);
    await bench.button('Approve').click();
    await result.getByText('Executed', { exact: true }).waitFor();
    expect(removed).toEqual(['a.txt']);
    await bench.try('remove_file', { name: 'b.txt' });
    await bench.button('Decline').click();
    await result.getByText('Declined', { exact: true }).waitFor();
    expect(removed).toEqual(['a.txt']);
  });

  it('shows runs, their requests and tests, one beside another; to their owner alone', async () => {
    await shop.converse('carol', 'Where is my order?');
    await shop.converse('carol', 'And the other one?');
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, tab } = bound(await shop.as('carol', { permissions }));
    await tab('Runs').click();
    await page.getByRole('button', { name: /^Where is my order/ }).click();
    const run = page.getByRole('article', { name: 'Where is my order?' });
    await run
      .getByText(/first token after/)
      .first()
      .waitFor();
    await run
      .getByText(/cost 0\.0360/)
      .first()
      .waitFor();
    await run.getByText('Waits for approval: remove_file').waitFor();
    await run.getByRole('button', { name: 'Show the request of step 2' }).click();
    await run.getByText('You help the staff of a bookshop.').waitFor();
    await run.getByText(/^Rebuilt\. The messages are from the journal/).waitFor();
    await run.getByRole('button', { name: 'Copy as a test' }).click();
    await run.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`import { ScriptedModel } from 'nestjs-agent/testing';`);
    await run.getByLabel('Find in this run').fill('old.txt is gone');
    expect(await run.locator('.timeline > li').count()).toBe(1);
    await page.getByRole('button', { name: 'Show beside: And the other one?' }).click();
    await page.getByRole('article', { name: 'And the other one?' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByLabel('Search your runs').fill('the other');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByRole('button', { name: /^Where is my order.*completed/ })
      .waitFor({ state: 'detached' });

    const others = bound(await shop.as('dave'));
    await others.tab('Runs').click();
    await others.page.getByText('No runs of yours were found.').waitFor();
    const session = /runs\/([^:%]+)/.exec(page.url())?.[1] ?? '';
    await others.page.getByLabel('Session id').fill(session);
    await others.page.getByRole('button', { name: 'Open' }).click();
    await others.page
      .getByText(/session/i)
      .last()
      .waitFor();
    expect(await others.page.getByRole('article').count()).toBe(0);
  });

  it('shows tokens from the cache, and older runs page by page', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 5, totalTokens: 1_005 };
    model.push({ text: 'Hello.', usage: { ...usage, cachedInputTokens: 800 } });
    await shop.ask('mia', 'chat', { message: 'The oldest' });
    for (let number = 1; number <= 20; number++) {
      model.push('Hello.');
      await shop.ask('mia', 'chat', { message: `Newer ${number}` });
    }
    const { page, tab } = bound(await shop.as('mia'));
    await tab('Runs').click();
    const older = page.getByRole('button', { name: 'Older runs' });
    const rows = page.getByRole('button', { name: /^(Newer|The oldest)/ });
    await older.waitFor();
    expect(await rows.count()).toBe(20);
    await older.click();
    await page.getByRole('button', { name: /^The oldest/ }).click();
    await older.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(21);
    const run = page.getByRole('article', { name: 'The oldest' });
    await run.getByText('1,000 → 5 tokens · 800 cached').first().waitFor();
    // Older sessions are not searched yet, so nothing says that there are none.
    await page.getByLabel('Search your runs').fill('The oldest');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await older.waitFor();
    expect(await page.getByText('No runs of yours were found.').count()).toBe(0);
    await older.click();
    await page.getByRole('button', { name: /^The oldest/ }).waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('runs the cases as its user after asking, and names what was called instead', async () => {
    removed.length = 0;
    writeEvals({
      as: 'root',
      cases: [
        { message: 'Which orders?', calls: [{ name: 'list_orders', input: {} }], answer: 'sent' },
        { name: EVIL, message: EVIL, calls: [{ name: 'find_books' }] },
        { name: 'deletes', message: 'x', calls: [{ name: 'remove_file' }], approvals: 'approve' },
      ],
    });
    const before = model.requests.length;
    const { page, tab } = bound(await shop.as('fay'));
    await tab('Evaluate').click();
    // A case that approves writes waits until it is chosen.
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('heading', { name: 'Tools run for real' }).waitFor();
    await page.getByText(/All tools that may write ask first/).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    expect(model.requests).toHaveLength(before);
    model.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.', {
      toolCalls: [{ name: 'remove_file', input: { name: EVIL } }],
    });
    await page.getByLabel('Attempts at a time').fill('1');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/^find_books was not called; called instead: remove_file/).waitFor();
    await page.getByText(/cost 0\.0\d+/).waitFor();
    expect(removed).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.getByRole('button', { name: 'Open the run of: root: Which orders?' }).click();
    await page.getByRole('article', { name: 'Which orders?' }).waitFor();
    // What was run is of this user alone, whomever the cases are written for.
    for (const name of ['dan', 'root']) {
      const other = bound(await shop.as(name));
      await other.tab('Runs').click();
      await other.page.getByText('No runs of yours were found.').waitFor();
    }
  });

  it('ends a regular expression that would never end, and goes on', async () => {
    const hello = { message: 'Hi', answer: { $matches: SLOW } };
    writeEvals({ cases: [hello, { name: 'fine', message: 'Hi', answer: { $matches: '^a+!$' } }] });
    model.push(`${'a'.repeat(40)}!`, `${'a'.repeat(40)}!`);
    const { page, tab } = bound(await shop.as('gus'));
    await tab('Evaluate').click();
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/takes longer than 1000 ms/).waitFor();
  });

  it('cancels an evaluation, and its run', async () => {
    writeEvals({ cases: ['one', 'two'].map((message) => ({ message, calls: [] })) });
    const gate = new Barrier();
    model.push([gate]);
    const { page, tab } = bound(await shop.as('hal'));
    await tab('Evaluate').click();
    await page.getByLabel('Attempts at a time').fill('1');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await gate.reached;
    await page.getByText('0 of 2 attempts').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('0 passed, 1 failed, 1 left out').waitFor();
    gate.open();
    await tab('Runs').click();
    await page.getByRole('button', { name: /^one.*cancelled/ }).waitFor();
  });

  it('asks the model that is chosen, and says which', async () => {
    writeEvals({ cases: [{ message: 'Who are you?', answer: 'big' }] });
    const [asked, before] = [model.requests.length, big.requests.length];
    big.push('I am big.');
    const { page, tab } = bound(await shop.as('ivy'));
    await tab('Evaluate').click();
    const choice = page.getByRole('combobox', { name: 'Model' });
    await choice.waitFor();
    expect(await choice.locator('option').allInnerTexts()).toEqual(['scripted (default)', 'big']);
    await choice.selectOption('big');
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    expect([model.requests.length, big.requests.length]).toEqual([asked, before + 1]);
    // What has run is not what is chosen next.
    await choice.selectOption('');
    await page.getByText(/big-model · \d+ tokens/).waitFor();
    model.push('I am not.');
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByText('0 passed, 1 failed, 0 left out').waitFor();
    await page.getByText(/scripted · \d+ tokens/).waitFor();
    await page.getByRole('button', { name: /^Open the run of/ }).click();
    await page.getByText(/ · scripted · completed/).waitFor();
  });

  it('runs cases that approve calls with the tick alone', async () => {
    removed.length = 0;
    const removes = (name: string, more: object) => ({
      name,
      message: 'x',
      calls: [{ name: 'remove_file', asks: true }],
      ...more,
    });
    writeEvals({
      cases: [removes('leaves it', {}), removes('removes it', { approvals: 'approve' })],
    });
    const call = (name: string) => ({ toolCalls: [{ name: 'remove_file', input: { name } }] });
    const { page, tab } = bound(await shop.as('joe'));
    await tab('Evaluate').click();
    await page.getByLabel('Attempts at a time').fill('1');
    model.push(call('one.txt'));
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    expect(removed).toEqual([]);
    await page.getByLabel(/^Run cases that approve calls too \(1\)/).check();
    model.push(call('two.txt'), call('three.txt'), 'It is gone.');
    await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
    await page.getByText('2 passed, 0 failed, 0 left out').waitFor();
    expect(removed).toEqual(['three.txt']);
  });

  it('runs the cases of a further agent, in YAML; one without a file says so', async () => {
    writeFileSync(
      YAML,
      `cases:
  - message: Which orders?
    calls:
      - name: list_orders
        input: {}
    answer: { $matches: 'sent|paid' }
`,
    );
    orders.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.');
    const { page, tab } = bound(await shop.as('kim', {}, 'orders'));
    await tab('Evaluate').click();
    await page.getByText('Cases of orders.evals.yaml').waitFor();
    await page.getByRole('button', { name: 'Run 1 case as me' }).click();
    await page.getByRole('button', { name: 'Run them' }).click();
    await page.getByText('1 passed, 0 failed, 0 left out').waitFor();
    const none = bound(await shop.as('kim', {}, 'till'));
    await none.tab('Evaluate').click();
    await none.page.getByText(/No file of cases is configured/).waitFor();
  });

  it('shows what an asked agent did, and a run that was replaced', async () => {
    model.push(
      { toolCalls: [{ name: 'ask_orders', input: { message: 'Is it sent?' } }] },
      'Orders says yes.',
    );
    orders.push({ toolCalls: [{ name: 'list_orders' }] }, 'Yes, it is sent.');
    const { sessionId, runId } = await shop.ask('lea', 'chat', { message: 'Ask them' });
    model.push('Never mind.');
    await shop.ask('lea', 'chat', { sessionId, message: 'Do not ask', replaceRun: runId });
    const { page, tab } = bound(await shop.as('lea'));
    await tab('Runs').click();
    await page.getByRole('button', { name: /^Do not ask(?!.*taken back)/ }).waitFor();
    await page.getByRole('button', { name: /^Ask them.*taken back/ }).click();
    const run = page.getByRole('article', { name: 'Ask them' });
    await run.getByText(/ · taken back/).waitFor();
    await run.locator('summary').getByText('Asked agent').first().click();
    const told = run.getByRole('group', { name: 'Asked agent' }).first();
    await told.getByText('list_orders').first().waitFor();
    await run
      .getByText(/orders-model · .* tokens .*cost/)
      .first()
      .waitFor();
  });

  it('says what is wrong with the file', async () => {
    writeEvals('{ "cases": [{ "mesage": "Hi" }] }');
    const { page, tab } = bound(await shop.as('alice'));
    await tab('Evaluate').click();
    await page.getByText(/mesage is no option; did you mean message/).waitFor();
  });

  it('shows hostile texts as texts', async () => {
    const bench = await shop.as('alice');
    const { page } = bench;
    await page.getByRole('button', { name: /read_reviews/ }).click();
    await page.getByText(`Hostile ${EVIL}`).waitFor();
    const result = await bench.try('read_reviews');
    await result.getByText('Executed', { exact: true }).waitFor();
    const read = result.getByRole('group', { name: 'What the model reads' });
    await read.getByText('<img src=x').first().waitFor();
    // The endpoint refuses such a key; the form has sent it as it was typed.
    await page.getByLabel('__proto__').fill('polluted');
    await bench.button('Call as me').click();
    await page.getByRole('alert').getByText('__proto__').waitFor();
    expect(await page.evaluate('({}).polluted')).toBeUndefined();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(
      await page.evaluate(
        `document.querySelector('agent-workbench').shadowRoot.querySelectorAll('img, script').length`,
      ),
    ).toBe(0);
  });

  it('is used by the keyboard alone', async () => {
    const { page } = await shop.as('alice');
    await page.getByText(/tools, about/).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    const tool = page.getByLabel('Tool', { exact: true });
    await tool.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('find_books');
    await page.getByLabel('title').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.getByText('Executed', { exact: true }).waitFor();
  });

  it.each(LOOKS)(
    'meets the accessibility rules, and fits, in light and dark: %s',
    async (look, options) => {
      const user = `eve-${look}`;
      await shop.converse(user, 'Where is my order?');
      const bench = await shop.as(user, options);
      const { page } = bench;
      const check = async (part: string): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `workbench-${part}-${look}-${colorScheme}`);
          const found = await violations(page);
          expect({ part, colorScheme, found }).toEqual({ part, colorScheme, found: [] });
        }
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(options.viewport?.width ?? 0);
      };
      await page.getByRole('button', { name: /remove_file/ }).click();
      await page.getByText('asks for approval').waitFor();
      await check('tools');
      await bench.try('open_till');
      await check('try');
      await bench.tab('Runs').click();
      await page.getByRole('button', { name: /^Where is my order/ }).click();
      await page.getByRole('button', { name: 'Show the request of step 2' }).click();
      await page.getByText(/^Rebuilt/).waitFor();
      await check('runs');
      writeEvals({
        cases: [
          { message: 'Which orders?', calls: [{ name: 'list_orders', input: {} }], answer: 'sent' },
          { message: 'Is there a book of Nest?', calls: [{ name: 'find_books' }] },
        ],
      });
      model.push({ toolCalls: [{ name: 'list_orders' }] }, 'It was sent.', 'I do not know.');
      await bench.tab('Evaluate').click();
      await page.getByLabel('Attempts at a time').fill('1');
      await page.getByRole('button', { name: 'Run 2 cases as me' }).click();
      await check('agreement');
      await page.getByRole('button', { name: 'Run them' }).click();
      await page.getByText('1 passed, 1 failed, 0 left out').waitFor();
      await check('evaluate');
    },
  );
});

describe('the workbench of one who may see all tools', () => {
  const shop = during(
    new WorkbenchBrowser(new ExpressAdapter(), {
      tools: { offer: 'guarded' },
      workbench: { all: ({ principal }) => principal === 'ada' },
    }),
  );

  it('shows why tools are withheld; doubts, groups, resources and prompts', async () => {
    const withheld = [
      ['hidden', 'hidden', 'it is hidden.'],
      ['sell_shop', 'denied', 'it is denied to all.'],
      ['count_takings', 'inactive_group', 'its group is inactive.'],
      ['open_till', 'guards', 'its guards refuse you. Permission denied: The shop is closed.'],
    ] as const;
    const { page } = await shop.as('ada');
    const row = (name: string): Locator =>
      page.getByRole('button', { name: new RegExp(`^${name} `) });
    await row('list_orders').waitFor();
    const total = await page.getByText(/tools, about/).innerText();
    for (const [name] of withheld) expect(await row(name).count()).toBe(0);
    await page.getByLabel(/^Show all tools/).check();
    for (const [name, mark, reason] of withheld) {
      await row(name).getByText(mark, { exact: true }).last().waitFor();
      await row(name).click();
      await page.getByText(`Not offered to you: ${reason}`).waitFor();
    }
    expect(await page.getByText(/tools, about/).innerText()).toBe(total);
    await row('count_takings').click();
    await page.getByRole('definition').getByText('night', { exact: true }).waitFor();
    await row('add').getByText('Doubts').waitFor();
    await row('add').click();
    await page.getByRole('heading', { name: 'Doubts' }).waitFor();
    await page.getByText('No description of "a", "b".').waitFor();
    const offers = page.getByRole('listitem').filter({ hasText: '/mcp' });
    await offers.filter({ hasText: 'shop://hours' }).getByText('Opening hours').waitFor();
    await offers
      .filter({ hasText: 'Greets a customer' })
      .getByText('customer', { exact: true })
      .waitFor();

    const other = await shop.as('bob');
    await other.page.getByText(/tools, about/).waitFor();
    expect(await other.page.getByLabel(/^Show all tools/).count()).toBe(0);
    for (const [name] of withheld) {
      expect(await other.page.getByRole('button', { name: new RegExp(`^${name} `) }).count()).toBe(
        0,
      );
    }
    await other.page.goto('/agent/workbench#tools/hidden');
    await other.page.reload();
    await other.page.getByRole('alert').getByText('hidden').waitFor();
  });
});

describe('the workbench where the page brings the log-in', () => {
  const shop = during(
    new AppBrowser(async () => {
      @Module({
        imports: [
          AgentModule.forRoot({
            model,
            workbench: true,
            decorators: [UseGuards(LoginGuard)],
            ui: { headersKey: 'shop.headers' },
          }),
        ],
        providers: [MathTools],
      })
      class TokenModule {}

      const testing = await Test.createTestingModule({ imports: [TokenModule] }).compile();
      return testing.createNestApplication({ logger: false });
    }),
  );

  it('sends the headers of the log-in, and says so where there are none', async () => {
    const page = await shop.open();
    await page.goto('/agent/workbench');
    await page.getByRole('alert').getByText('Unauthorized').waitFor();
    await page.evaluate(
      `sessionStorage.setItem('shop.headers', '{"authorization":"Bearer alice"}')`,
    );
    await page.reload();
    await page.getByRole('button', { name: /hidden/ }).waitFor();
  });
});

/** The page with its tabs, for destructuring. */
function bound(bench: WorkbenchPage): { page: Page; tab: WorkbenchPage['tab'] } {
  return { page: bench.page, tab: (name) => bench.tab(name) };
}
