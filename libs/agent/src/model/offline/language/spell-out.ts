const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/(-?\d+(?:\.\d+)?)\s*(?:\+|plus)\s*(-?\d+(?:\.\d+)?)/gi, 'add $1 and $2'],
  [
    /(-?\d+(?:\.\d+)?)\s*(?:\*|×|x|times|multiplied by)\s*(-?\d+(?:\.\d+)?)/gi,
    'multiply $1 and $2',
  ],
  [/(-?\d+(?:\.\d+)?)\s*(?:\/|÷|divided by|over)\s*(-?\d+(?:\.\d+)?)/gi, 'divide $1 by $2'],
  [/(?<![\d-])(-?\d+(?:\.\d+)?)\s+(?:-|minus)\s+(-?\d+(?:\.\d+)?)/gi, 'subtract $1 and $2'],
  [/\b(?:subtract|take)\s+(-?\d+(?:\.\d+)?)\s+from\s+(-?\d+(?:\.\d+)?)/gi, 'subtract $2 and $1'],
];

/** A request with signs and idioms as the verbs of tool names: `2 + 3`, `roll it back`, `get rid of`. */
export function spellOut(request: string): string {
  let text = request.replace(/\broll(?:ing)?\s+(.+?)\s+back\b/gi, 'rollback $1');
  text = text
    .replace(/\broll(?:ing)?\s+back\b/gi, 'rollback')
    .replace(/\bget rid of\b/gi, 'delete');
  for (const [pattern, words] of OPERATORS) text = text.replace(pattern, words);
  return text;
}
