import { ScriptedModel } from 'nestjs-agent/testing';
import type { ChatPage } from './support/chat-page';
import { useDemo } from './support/demo-browser';

describe('a long conversation', () => {
  const model = new ScriptedModel([]);
  const demo = useDemo(model);

  it('draws no answer anew while the next message is written', async () => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    model.push('The answer.');
    await chat.ask('the question');
    // Each rendering of an answer formats its token counts.
    await page.evaluate(`(() => {
      window.drawn = 0;
      const written = Number.prototype.toLocaleString;
      Number.prototype.toLocaleString = function (...rest) {
        window.drawn += 1;
        return written.apply(this, rest);
      };
    })()`);
    await chat.message.pressSequentially('next');
    // Enabled by the same rendering that shows the letters.
    await page.locator('[part=send]:enabled').waitFor();
    expect(await page.evaluate('window.drawn')).toBe(0);
    model.push('Another answer.');
    await chat.ask('next');
    expect(await page.evaluate('window.drawn')).toBeGreaterThan(0);
  });

  const MESSAGES = Array.from({ length: 400 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `words ${index}` }],
  }));
  const withLongSession = async (): Promise<ChatPage> => {
    const chat = await demo.logIn('alice');
    await chat.page.route('**/sessions/long/messages', (route) =>
      route.fulfill({ json: MESSAGES }),
    );
    return chat;
  };

  it('has its end drawn before its beginning', async () => {
    const chat = await withLongSession();
    const drawnFirst = await chat.page.evaluate<string[]>(`new Promise((resolve) => {
      const chat = document.querySelector('agent-chat');
      new MutationObserver((_, observer) => {
        const turns = [...chat.shadowRoot.querySelectorAll('.turn')];
        if (turns.length === 0) return;
        observer.disconnect();
        resolve(turns.map((turn) => turn.textContent));
      }).observe(chat.shadowRoot, { childList: true, subtree: true });
      void chat.openSession('long');
    })`);
    expect(drawnFirst.at(-1)).toContain('words 399');
    expect(drawnFirst.length).toBeLessThan(100);
    await chat.log.getByText('words 0', { exact: true }).waitFor();
    expect(await chat.log.locator('.turn').count()).toBe(400);
    expect(
      await chat.log.evaluate(
        ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
      ),
    ).toBeLessThan(1);
  });

  it.each(['auto', 'none'])(
    'keeps the place of its reader while its beginning is drawn, and in a move, with overflow-anchor: %s',
    async (anchor) => {
      const { page } = await withLongSession();
      const [read, drawn, before, moved] = await page.evaluate<number[]>(`(async () => {
        const chat = document.querySelector('agent-chat');
        const log = chat.shadowRoot.querySelector('.log');
        log.style.overflowAnchor = '${anchor}';
        const turns = () => [...log.querySelectorAll('.turn')];
        const frame = () => new Promise(requestAnimationFrame);
        await chat.openSession('long');
        while (turns().length < 50) await frame();
        const turn = turns().at(-30);
        turn.scrollIntoView();
        log.dispatchEvent(new Event('scroll'));
        const top = () => Math.round(turn.getBoundingClientRect().top);
        const tops = [top()];
        while (turns().length < ${MESSAGES.length}) await frame();
        for (const _ of [1, 2]) await frame();
        tops.push(top(), log.scrollTop);
        chat.parentElement.append(chat);
        for (const _ of [1, 2]) await frame();
        return [...tops, log.scrollTop];
      })()`);
      expect(Math.abs(Number(drawn) - Number(read))).toBeLessThan(10);
      expect(before).toBeGreaterThan(0);
      expect(moved).toBe(before);
    },
  );

  it('lets its reader leave the end in small steps while its beginning is drawn', async () => {
    const { page } = await withLongSession();
    const fromEnd = await page.evaluate<number>(`(async () => {
      const chat = document.querySelector('agent-chat');
      const log = chat.shadowRoot.querySelector('.log');
      log.style.overflowAnchor = 'none';
      const turns = () => log.querySelectorAll('.turn').length;
      const frame = () => new Promise(requestAnimationFrame);
      await chat.openSession('long');
      while (turns() < 50) await frame();
      for (let seen = turns(); seen < ${MESSAGES.length}; seen = turns()) {
        log.scrollTop -= 20;
        log.dispatchEvent(new Event('scroll'));
        while (turns() === seen) await frame();
      }
      return log.scrollHeight - log.scrollTop - log.clientHeight;
    })()`);
    expect(fromEnd).toBeGreaterThan(80);
  });

  it('scrolls in the chat alone, on a phone too', async () => {
    const chat = await demo.logIn('alice', { viewport: { width: 375, height: 600 } });
    const lines = Array.from({ length: 40 }, (_, line) => `- line ${line}`).join('\n');
    model.push(lines, lines);
    await chat.ask('count');
    await chat.ask('count again');
    expect(await chat.page.evaluate('document.documentElement.scrollHeight')).toBe(600);
  });

  it('leaves the Send button on the screen at a zoom of 400 %, however long the message is', async () => {
    const { page, message } = await demo.logIn('alice', { viewport: { width: 320, height: 256 } });
    await message.fill('one more line\n'.repeat(20));
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(256);
  });

  it.each(['/agent/ui', '/platform'])('is printed whole, dark on white, on %s', async (path) => {
    const chat = await demo.logIn('alice');
    const { page } = chat;
    await page.goto(path);
    model.push(Array.from({ length: 99 }, (_, line) => `- line ${line}`).join('\n'));
    await chat.ask('count');
    await page.evaluate(`document.querySelector('agent-chat').theme = 'dark'`);
    await page.emulateMedia({ media: 'print' });
    const end = await page.evaluate<number>('document.documentElement.scrollHeight');
    for (const line of ['count', 'line 0', 'line 98']) {
      const { y, height } = (await chat.log.getByText(line, { exact: true }).boundingBox())!;
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThanOrEqual(end);
    }
    const colour = await page.evaluate(`getComputedStyle(
      document.querySelector('agent-chat').shadowRoot.querySelector('[role=log] li')).color`);
    expect(colour).toBe('rgb(27, 30, 39)');
    expect(await chat.message.isVisible()).toBe(false);
  });
});
