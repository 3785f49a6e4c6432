import { LotteryError } from '@fairball/domain/errors'
import { fromHex } from '@fairball/domain/fairness/bytes'
import { WITNESS_AHEAD_SECONDS } from '@fairball/domain/fairness/protocol'
import { noteOf, parseNote, witnessedAt } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf, statementHash } from '@fairball/domain/fairness/statements'
import type { Db, Queries } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

/** What a close statement may be hashed from: statements are lines of printable ASCII. */
const STATEMENT_TEXT = /^[\n\x20-\x7e]+$/

/** A witness's word that it saw a close statement. */
interface WitnessLine {
  readonly name: string
  /** epoch seconds */
  readonly at: number
  /** its signature line as it is served */
  readonly line: string
}

/** The witnesses of draws: who saw a close, and when (fairness section 5). */
export function createWitnesses({ db, runtime }: { readonly db: Db; readonly runtime: Pick<Runtime, 'clock'> }) {
  /**
   * Whether a close has as many witnesses as its draw's open statement asks for, each dated before a moment (fairness
   * section 5).
   *
   * @param close `before` is what their dates must be less than: the due time of the round − 60, epoch seconds
   */
  async function hasEnoughWitnesses(
    tx: Queries,
    close: { readonly openHash: string; readonly closeHash: string; readonly before: number },
  ): Promise<boolean> {
    const { text } = await tx.one(queries.findStatement, [close.openHash])
    const { required } = parseStatementOf('open', text).witness
    if (required === 0) return true
    // Only lines of witnesses whom the open statement names are ever stored, one of each.
    const { witnesses } = await tx.one(queries.countWitnesses, [close.closeHash, close.before])
    return witnesses >= required
  }

  /**
   * Keeps the valid signature lines of a note over a close statement (fairness section 5). Again changes nothing; of two
   * dates of one witness the earlier stays.
   *
   * @throws LotteryError NOT_FOUND where the text is no close statement of this log
   * @throws LotteryError INVALID_PAYLOAD with `fields.note` where no line is a valid signature of a witness of the draw,
   *   and where the draw is over and its record does not change any more
   */
  async function accept(note: string): Promise<void> {
    const parsed = parseNote(note)
    if (parsed === null) throw refusal('Must be a signed note.')
    const closeHash = STATEMENT_TEXT.test(parsed.text) ? statementHash(parsed.text, NODE_HASH) : ''
    const close = await db.maybeOne(queries.findWitnessedClose, [closeHash])
    if (close === null) throw new LotteryError('NOT_FOUND', 'No such close statement.')
    const lines = linesOf(note, parsed, close.open_text)
    if (lines.length === 0) throw refusal('Must have a valid signature of a witness of this draw.')
    const past = lines.filter((line) => line.at <= runtime.clock.now())
    if (past.length === 0) throw refusal('Must not be dated in the future.')
    const { time } = parseStatementOf('close', parsed.text)
    const dated = past.filter((line) => line.at >= time - WITNESS_AHEAD_SECONDS)
    if (dated.length === 0) throw refusal('Must not be dated before the statement.')
    await db.transaction(async (tx) => {
      // Held against the settlement: what is immutable from then on cannot change behind it.
      const { status } = await tx.one(queries.lockDrawOf, [close.open_hash])
      if (status === 'settled' || status === 'void') {
        const kept = await tx.run(queries.findWitnessLines, [closeHash])
        const areKept = dated.every(({ name, at }) => kept.some((one) => one.name === name && one.at <= at))
        if (!areKept) throw refusal('Came after the end of the draw, whose record does not change any more.')
        return
      }
      for (const { name, at, line } of dated) await tx.execute(queries.keepWitnessLine, [closeHash, name, at, line])
    })
  }

  /** The signature lines over a close statement, by the witnesses' names. */
  async function linesOver(from: Queries, closeHash: string): Promise<string[]> {
    return (await from.run(queries.findWitnessLines, [closeHash])).map(({ line }) => line)
  }

  return { hasEnoughWitnesses, accept, linesOver }
}

/** The valid lines of the draw's witnesses in a note, of each the earliest, by name. */
function linesOf(note: string, parsed: NonNullable<ReturnType<typeof parseNote>>, openText: string): WitnessLine[] {
  const rawLines = note.slice(parsed.text.length + 1, -1).split('\n')
  const { list } = parseStatementOf('open', openText).witness
  const found = list.flatMap(({ name, publicKey }) => {
    const witness = { name, publicKey: fromHex(publicKey) }
    // Each line is held up alone: one that somebody spoiled does not spoil the others.
    const dated = rawLines.flatMap((line, place) => {
      if (parsed.signatures[place]?.name !== name) return []
      const at = witnessedAt(noteOf(parsed.text, [line]), witness)
      return at === null ? [] : [{ name, at, line }]
    })
    const [first, ...others] = dated
    if (first === undefined) return []
    return [others.reduce((earliest, other) => (other.at < earliest.at ? other : earliest), first)]
  })
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function refusal(message: string): LotteryError {
  return new LotteryError('INVALID_PAYLOAD', undefined, { fields: { note: message } })
}
