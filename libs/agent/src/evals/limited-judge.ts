import { createContext, Script } from 'node:vm';
import { JUDGEMENT_MS, type Judge, judged, undecided } from './runner';

/**
 * Judges with a limit of time: a regular expression of a file may never end on a text of a model.
 * The engine of regular expressions stops where a script of `node:vm` runs out of time; nothing else
 * in the process can stop it.
 *
 * @param limitMs milliseconds that one judgement may take
 */
export function limitedJudge(): Judge {
  const script = new Script('judge()');
  const scope: { judge?: () => unknown } = createContext({});
  return (turn, found) => {
    scope.judge = () => judged(turn, found);
    try {
      return script.runInContext(scope, { timeout: JUDGEMENT_MS }) as ReturnType<typeof judged>;
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      return undecided(found);
    }
  };
}
