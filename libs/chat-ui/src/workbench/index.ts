// Defines `<agent-workbench>`, the page for developers. It takes requests, credentials and looks from
// the chat; it is a file of its own, so that the chat does not grow.
import { followLogIn } from '../pages/log-in';
import { AgentWorkbenchElement } from './agent-workbench.element';
import { isWorker, judgeInWorker } from './evals';

if (typeof customElements !== 'undefined' && !customElements.get('agent-workbench')) {
  customElements.define('agent-workbench', AgentWorkbenchElement);
  for (const page of document.querySelectorAll<AgentWorkbenchElement>('agent-workbench')) {
    followLogIn(page);
  }
}
if (isWorker) judgeInWorker();
