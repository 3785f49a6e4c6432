import type { Scope, Subject } from './scopes.ts'

/** A rule of an invariant: a statement that returns a sentence for each row that breaks it, as `what`. */
export interface Rule {
  readonly id: string
  /** What the nightly pass cuts it by; null if it is one statement. */
  readonly cut: Exclude<Subject, 'game'> | null
  /** Whether the minute's check looks at what is new of it; `suspect` if only the whole rule can confirm what that finds. */
  readonly minute: boolean | 'suspect'
  readonly text: (scope: Scope) => string
}

/** The rules as one text, each sentence with the invariant it breaks. */
export function unionOf(rules: readonly Rule[], scope: Scope): string {
  return rules
    .map(({ id, text }, place) => `select '${id}' as invariant, what from (${text(scope)}) r${place}`)
    .join('\n union all ')
}

/** That a win counts: those of a draw that is being settled in parts come before its result, which no one sees yet. */
export function isWon(win: string): string {
  return `not exists (select from draw_parts s join draws b on b.id = s.draw_id and b.status = 'drawn' where s.draw_id = ${win}.draw_id)`
}
