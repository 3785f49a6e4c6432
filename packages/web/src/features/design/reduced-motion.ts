/** What the styles ask for before they hold back. */
const CONDITION = /prefers-reduced-motion:\s*reduce/u

/**
 * Makes the rules for reduced motion apply whatever the system says: they are the very ones, not a copy of them.
 *
 * @param sheets the styles of the page
 * @returns what puts them back
 */
export function reduceMotion(sheets: Iterable<CSSStyleSheet>): () => void {
  const rules = [...sheets].flatMap((sheet) => conditional(sheet.cssRules))
  const conditions = rules.map((rule) => rule.media.mediaText)
  for (const rule of rules) rule.media.mediaText = 'all'
  return () => rules.forEach((rule, place) => (rule.media.mediaText = conditions[place] ?? 'all'))
}

/** The rules that hold only under reduced motion, also those inside of layers and other conditions. */
function conditional(rules: CSSRuleList): CSSMediaRule[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSMediaRule && CONDITION.test(rule.media.mediaText)) return [rule]
    return rule instanceof CSSGroupingRule ? conditional(rule.cssRules) : []
  })
}
