import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { workbenchWords, type Words } from '../texts';

export const WordsContext = createContext<Words>(workbenchWords(() => false));

export function useWords(): Words {
  return useContext(WordsContext);
}
