import { createContext, Script } from 'node:vm';
import { JUDGEMENT_MS, type Judge, judged, undecided } from './runner';

/**
 * A judge with a time limit: a file's regular expression may take forever on a model's text. Only the
 * timeout of a `node:vm` script can stop it within the process.
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
