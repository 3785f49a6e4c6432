import { toHex } from '@fairball/domain/fairness/bytes'
import { BEACON_SCHEME } from '@fairball/domain/fairness/chain'
import { type LoggedNote, LogVerifier, readLogged } from '@fairball/domain/fairness/log'
import { parseStatementOf, rulesText, statementHash, type StatementOf } from '@fairball/domain/fairness/statements'
import { endAfterStart, gameByKey } from '@fairball/domain/games'
import { weekdayOf } from '@fairball/domain/weekday'
import type { Db, Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { readHead } from './head-file.ts'
import type { Operator } from './keys.ts'
import type { LogSource } from './log-source.ts'
import { drawOf, enterChain, type Log } from './log.ts'
import { NODE_HASH } from './node-hash.ts'
import * as queries from './queries.ts'

/** The name under which the processes that serve a database are listed by its server. */
const SERVING = 'fairball'

/** What an import did. */
export interface LogImport {
  /** how many statements were missing and are there now */
  readonly imported: number
  /** how many draws are void because their seeds went with the lost database */
  readonly voided: number
}

/**
 * Brings a database that was restored from an older backup up to its log (fairness section 9): the missing statements are
 * fetched from a mirror, verified (chain and signatures) and stored. A draw that was opened in them has lost its seed:
 * its number stays used up, and it becomes void. What else happened in them, sales and money with it, is not in the
 * database, so statements of a draw's life are refused: the log would promise what the database cannot keep.
 *
 * @throws Refused when anything does not fit; nothing is stored then
 */
export async function importLog(
  deps: { readonly db: Db; readonly log: Log; readonly operator: Operator; readonly headFile: string },
  source: LogSource,
): Promise<LogImport> {
  const { db, log } = deps
  const { sessions } = await db.one(queries.countServing, [SERVING])
  if (sessions > 0) throw new Refused('Fairball is running on this database. Stop every process of it first.')
  const head = await db.maybeOne(queries.findHead, [])
  if (head === null) {
    throw new Refused(
      "The database holds nothing of the log, not even the operator's key, which no mirror has. Restore a backup.",
    )
  }
  const missing = await verifiedNotes(deps, head, await source.notesFrom(head.seq))
  await assertReachesHead(deps.headFile, head, missing)
  assertAdoptable(missing)
  const rules = await rulesFor(missing, source)
  return await db.transaction(async (tx) => {
    await log.lockHead(tx)
    const present = await tx.one(queries.findHead, [])
    if (present.hash !== head.hash) throw new Refused('The log grew during the import. Try again.')
    for (const logged of missing) await storeNote(tx, logged, rules)
    const voided = await enterLostDraws(tx, log, missing)
    return { imported: missing.length, voided }
  })
}

/** The notes that follow the database's head, each held against the one before; the first one is the head itself. */
async function verifiedNotes(
  { db, operator }: { readonly db: Db; readonly operator: Operator },
  head: { readonly seq: number; readonly hash: string; readonly at: number },
  notes: readonly string[],
): Promise<readonly LoggedNote[]> {
  const [first = '', ...following] = notes
  const own = readLogged(first)
  if (typeof own === 'string') throw new Refused(`The source does not have statement ${head.seq}.`)
  if (own.hash !== head.hash) {
    throw new Refused(
      `The source and the database have two different statements ${head.seq}: ${own.hash} and ${head.hash}. ` +
        'One of them is not of this log. Nothing was imported.',
    )
  }
  const { publicKey } = await operator.keyInForce(db)
  const seeds = await db.run(queries.listSeedHashes, [])
  const verifier = new LogVerifier({
    head: {
      operator: operator.name,
      seq: head.seq,
      hash: head.hash,
      time: head.at,
      keys: [{ publicKey: toHex(publicKey), fromAt: 0, untilAt: null }],
      seedHashes: seeds.map((row) => row.seed_hash),
    },
    hash: NODE_HASH,
  })
  for (const note of following) {
    if (verifier.add(note) !== null) continue
    throw new Refused(`Statement ${verifier.problem?.seq} of the source ${verifier.problem?.message}.`)
  }
  return verifier.statements
}

/** What is appended after an import must not take a number that was used: the source has to be as new as the file. */
async function assertReachesHead(
  path: string,
  head: { readonly seq: number },
  missing: readonly LoggedNote[],
): Promise<void> {
  const kept = await readHead(path)
  if (kept === null || kept.seq <= head.seq) return
  const reached = missing.find(({ statement }) => statement.seq === kept.seq)
  if (reached === undefined) {
    const newest = missing.at(-1)?.statement.seq ?? head.seq
    throw new Refused(
      `The source ends with statement ${newest}, and ${path} says that the log has reached ${kept.seq}. Find a newer mirror.`,
    )
  }
  if (reached.hash !== kept.hash) {
    throw new Refused(
      `Statement ${kept.seq} of the source is ${reached.hash}, and ${path} says that it is ${kept.hash}.`,
    )
  }
}

function assertAdoptable(missing: readonly LoggedNote[]): void {
  const opened = new Set(missing.filter(isOpen).map(({ hash }) => hash))
  for (const { statement } of missing) {
    const { type, seq } = statement
    if (type === 'open' || type === 'chain' || (type === 'void' && opened.has(statement.open))) continue
    const reason =
      type === 'key'
        ? 'it changed the key, and the new one is not in this database'
        : 'what was sold, drawn or paid by then is not in this database, so it could not keep what the log says'
    throw new Refused(
      `Statement ${seq} is a ${type}, which cannot be taken over: ${reason}. Restore a backup made after it. Nothing was imported.`,
    )
  }
}

/** The rules that imported draws were opened with, by hash: this version's own, or the source's. */
async function rulesFor(missing: readonly LoggedNote[], source: LogSource): Promise<ReadonlyMap<string, string>> {
  const rules = new Map<string, string>()
  for (const { statement } of missing.filter(isOpen)) {
    if (rules.has(statement.rules)) continue
    const game = gameByKey(statement.game)
    const own = game === null ? null : rulesText(game)
    const text = own !== null && statementHash(own) === statement.rules ? own : await source.rulesOf(statement.rules)
    if (text === null || !isTextOf(text, statement.rules)) {
      throw new Refused(`The rules ${statement.rules} of statement ${statement.seq} are nowhere to be found.`)
    }
    rules.set(statement.rules, text)
  }
  return rules
}

function isTextOf(text: string, hash: string): boolean {
  try {
    parseStatementOf('rules', text)
    return statementHash(text) === hash
  } catch {
    return false // no rules at all
  }
}

async function storeNote(tx: Tx, { note, text, hash, statement }: LoggedNote, rules: ReadonlyMap<string, string>) {
  const { seq, time, type } = statement
  await tx.execute(queries.insertStatement, [seq, time, hash, type, text, note, await drawOf(tx, statement, hash)])
  if (type === 'open') {
    await tx.execute(queries.insertRules, [statement.rules, rules.get(statement.rules) ?? ''])
  }
  if (type === 'chain') {
    await enterChain(tx, {
      name: statement.name,
      hash: statement.hash,
      publicKey: statement.public_key,
      periodSeconds: statement.period,
      genesisAt: statement.genesis,
      groupHash: statement.group_hash,
      beaconId: statement.beacon_id,
      scheme: BEACON_SCHEME,
    })
  }
}

/** Draws whose seeds are lost take their numbers and are void, by the statement that was imported or by a new one. */
async function enterLostDraws(tx: Tx, log: Log, missing: readonly LoggedNote[]): Promise<number> {
  const voids = new Map(
    missing.flatMap(({ statement, hash }) => (statement.type === 'void' ? [[statement.open, hash] as const] : [])),
  )
  const lost = missing.filter(isOpen)
  for (const { statement, hash } of lost) {
    const game = gameByKey(statement.game)
    if (game === null) throw new Refused(`Statement ${statement.seq} opens a draw of a game that is not ours.`)
    const voidedAt = await log.lockHead(tx)
    const voidHash = voids.get(hash) ?? (await log.append(tx, { type: 'void', open: hash, reason: 'outage' }))
    await tx.execute(queries.insertLostDraw, [
      game.key,
      statement.draw,
      weekdayOf(statement.start),
      statement.start,
      statement.close,
      statement.start + endAfterStart(game),
      statement.pick,
      statement.pool,
      statement.rules,
      statement.seedhash,
      statement.chain,
      statement.round,
      hash,
      BigInt(game.guaranteedMinor),
      BigInt(game.coverMinor),
      voidedAt,
      voidHash,
    ])
  }
  return lost.length
}

function isOpen(logged: LoggedNote): logged is LoggedNote<StatementOf<'open'>> {
  return logged.statement.type === 'open'
}
