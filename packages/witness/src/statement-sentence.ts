import type { LoggedNote } from '@fairball/domain/fairness/log'
import type { DrawBook } from './draw-book.ts'
import { clockText } from './teller.ts'

/** What a new statement says, for people. Null for those that say nothing of draws or keys. */
export function sentenceOf({ statement, hash }: LoggedNote, book: DrawBook): string | null {
  const titleOf = (openHash: string): string => book.draws.get(openHash)?.title ?? 'a draw'
  switch (statement.type) {
    case 'open':
      return `Opened: ${statement.game}, draw ${statement.draw}; it starts ${clockText(statement.start)}.`
    case 'close':
      return `Sealed: ${titleOf(statement.open)}, ${statement.entries} entries, hash ${hash}.`
    case 'postpone':
      return `Postponed: ${titleOf(statement.open)}, to ${clockText(statement.start)} (${statement.reason}).`
    case 'void':
      return `Void: ${titleOf(statement.open)} (${statement.reason}).`
    case 'result':
      return `Drawn: ${statement.numbers.join(', ')}.`
    case 'key':
      return `The operator changed its key to ${statement.key}; the old key signed it too.`
    case 'log':
    case 'chain':
      return null
  }
}
