import { parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatement, StatementError, statementHash } from '@fairball/domain/fairness/statements'
import type { Statement } from '@fairball/domain/fairness/statements'
import type { FairnessRecord } from '@fairball/contract/schemas/game'
import { DRAWS_TEXTS } from './messages.ts'

/** One value of the record: hex, or the number of a round. */
interface FairnessValue {
  name: string
  value: string
}

/**
 * @returns the values of a fairness record, in the order they were made. An unreadable note is left out: nothing here
 * verifies.
 */
export function fairnessValues(record: FairnessRecord): FairnessValue[] {
  const ofStatements = record.notes.flatMap((note) => valuesOf(note))
  const { beacon } = record
  const ofBeacon =
    beacon === null
      ? []
      : [
          { name: DRAWS_TEXTS.round, value: String(beacon.round) },
          { name: DRAWS_TEXTS.signature, value: beacon.signature },
        ]
  const isResult = ({ name }: FairnessValue) => name === DRAWS_TEXTS.resultHash
  return [...ofStatements.filter((value) => !isResult(value)), ...ofBeacon, ...ofStatements.filter(isResult)]
}

function valuesOf(note: string): FairnessValue[] {
  const text = parseNote(note)?.text
  const statement = text === undefined ? null : read(text)
  if (text === undefined || statement === null) return []
  const hash = statementHash(text)
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
      ]
    case 'result':
      return [{ name: DRAWS_TEXTS.resultHash, value: hash }]
    case 'void':
      return [{ name: DRAWS_TEXTS.voidHash, value: hash }]
    case 'log':
    case 'key':
    case 'chain':
    case 'postpone':
    case 'rules':
    case 'receipt':
      return []
  }
}

function read(text: string): Statement | null {
  try {
    return parseStatement(text)
  } catch (error) {
    if (error instanceof StatementError) return null
    throw error
  }
}
