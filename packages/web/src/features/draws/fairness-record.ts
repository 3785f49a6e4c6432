import type { LogStatementAnswer } from '@fairball/contract/schemas/fairness'
import { isStatementError, type LogStatement, readLogStatement } from '@fairball/domain/protocol/statements'
import { DRAWS_TEXTS } from './messages.ts'

/** One value of the record: hex, or the number of a round. */
interface FairnessValue {
  name: string
  value: string
}

/**
 * @returns the values in the statements about a draw, in their order. Unreadable texts are left out. Nothing is
 *   verified here.
 */
export function fairnessValues(statements: readonly Pick<LogStatementAnswer, 'hash' | 'text'>[]): FairnessValue[] {
  return statements.flatMap(({ hash, text }) => {
    const statement = read(text)
    return statement === null ? [] : valuesOf(hash, statement)
  })
}

function valuesOf(hash: string, statement: LogStatement): FairnessValue[] {
  switch (statement.type) {
    case 'open':
      return [
        { name: DRAWS_TEXTS.openHash, value: hash },
        { name: DRAWS_TEXTS.seedHash, value: statement.seedhash },
      ]
    case 'close':
      return [
        { name: DRAWS_TEXTS.closeHash, value: hash },
        { name: DRAWS_TEXTS.seed, value: statement.seed },
        { name: DRAWS_TEXTS.root, value: statement.root },
        { name: DRAWS_TEXTS.round, value: String(statement.round) },
      ]
    case 'result':
      return [
        { name: DRAWS_TEXTS.signature, value: statement.signature },
        { name: DRAWS_TEXTS.resultHash, value: hash },
      ]
    case 'void':
      return [{ name: DRAWS_TEXTS.voidHash, value: hash }]
    case 'log':
    case 'key':
    case 'chain':
    case 'game':
    case 'sold':
    case 'postpone':
    case 'paid':
    case 'solvency':
    case 'code':
      return []
  }
}

function read(text: string): LogStatement | null {
  try {
    return readLogStatement(text)
  } catch (error) {
    if (isStatementError(error)) return null
    throw error
  }
}
