import type { Bundle, OwnReceipt } from '@fairball/domain/fairness/bundle'
import { collectBundle } from '@fairball/domain/fairness/collect-bundle'
import type { FairnessSource } from '@fairball/domain/fairness/collect-bundle'
import { drawRecord, ofType } from '@fairball/domain/fairness/draw-record'
import type { DrawRecord } from '@fairball/domain/fairness/draw-record'
import { readLogged } from '@fairball/domain/fairness/log'
import type { LoggedNote } from '@fairball/domain/fairness/log'
import type { Api } from '../shared/api.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { LogStore } from './log-store.ts'
import type { Remembered } from './memory.ts'
import { playsOfDraw } from './own-plays.ts'
import type { PlayedDraw } from './own-plays.ts'
import { ownRecordOf } from './own-record.ts'
import { readReceipt } from './read-receipt.ts'

/** The state of fetching. */
export type CollectStage = 'log' | 'draw' | 'entries' | 'receipts'

/** Dependencies of fetching. */
interface CollectParts {
  readonly api: Api
  readonly fetch: Runtime['fetch']
  readonly logStore: LogStore
}

/** The draw, and the parts to fetch. */
export interface CollectWanted {
  readonly game: string
  readonly draw: number
  /** Whose receipts to fetch; null for a visitor. */
  readonly username: string | null
  readonly seen: Remembered
  /** The published entries may be many: without them the tree is not rebuilt, and only own lines are checked in it. */
  readonly withEntries: boolean
  readonly onStage?: (stage: CollectStage) => void
}

/** The fetched data of a draw. */
export interface Collected {
  /** With the own record in it. */
  readonly bundle: Bundle
  /** The statement now served in place of the newest one this browser has verified; null without one. */
  readonly headNow: string | null
  /** How many lines the player has in the draw. */
  readonly lines: number
  /** Whether the receipts name exactly those lines. */
  readonly areLinesInReceipts: boolean
}

/** Maximum number of receipts in one request. */
const AT_ONCE = 4

/**
 * Fetches everything needed to verify a draw. The start of the log comes from this browser's verified copy; its newest
 * statement is fetched again, to be compared with the known one.
 */
export async function collectDraw(
  { api, fetch, logStore }: CollectParts,
  { game, draw, username, seen, withEntries, onStage }: CollectWanted,
): Promise<Collected> {
  const { head } = seen
  const kept = await logStore.read()
  const start = head !== null && kept[head.seq] === head.note ? kept : []
  const source = sourceOf({ api, fetch, withEntries, ...(onStage !== undefined && { onStage }) })
  const headNow = head === null ? null : ((await source.log(head.seq)).notes[0] ?? null)
  const bundle = await collectBundle(source, game, draw, start)
  if (username !== null) onStage?.('receipts')
  const receipts = username === null ? [] : await receiptsOf(api, bundle)
  const withReceipts = {
    ...bundle,
    own: {
      key: null,
      username: receipts.length === 0 ? null : username,
      sights: [],
      receipts: receipts.map(({ receipt }) => receipt),
    },
  }
  return {
    bundle: { ...bundle, own: ownRecordOf(withReceipts, seen) },
    headNow,
    lines: receipts.reduce((sum, { lines }) => sum + lines.length, 0),
    areLinesInReceipts: receipts.every(({ receipt, lines }) => isSameLines(linesIn(receipt), lines)),
  }
}

function sourceOf({
  api,
  fetch,
  withEntries,
  onStage,
}: Omit<CollectParts, 'logStore'> & Pick<CollectWanted, 'withEntries' | 'onStage'>): FairnessSource {
  return {
    log(from) {
      onStage?.('log')
      return api.call('getFairnessLog', { query: { from: String(from) } })
    },
    rules: (hash) => api.call('getRules', { params: { hash } }),
    record(game, number) {
      onStage?.('draw')
      return api.call('getFairnessRecord', { params: { game, number } })
    },
    async entries(game, number) {
      if (!withEntries) return null
      onStage?.('entries')
      const answer = await fetch(api.address('getFairnessEntries', { params: { game, number } }))
      if (answer.status === 404) return null
      if (!answer.ok) throw new Error(`The entries were answered with status ${answer.status}.`)
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}

/** The receipt of a play, and the lines of the play as the results show them. */
interface PlayReceipt {
  readonly receipt: OwnReceipt
  readonly lines: readonly (readonly number[])[]
}

function linesIn({ receipt }: OwnReceipt): readonly (readonly number[])[] {
  return readReceipt(receipt)?.entries.map(({ numbers }) => numbers) ?? []
}

/** Equal lines may stand there more than once, and in any order. */
function isSameLines(some: readonly (readonly number[])[], others: readonly (readonly number[])[]): boolean {
  const written = (lines: readonly (readonly number[])[]) =>
    lines.map((line) => line.toSorted((a, b) => a - b).join()).toSorted((a, b) => a.localeCompare(b))
  return written(some).join(';') === written(others).join(';')
}

/**
 * The receipts of a player's plays in a draw. Each has to name that draw; those that do not are returned as well, so
 * that the proof can say so.
 */
async function receiptsOf(api: Api, { game, draw, log }: Bundle): Promise<PlayReceipt[]> {
  const statements = log.map((note) => readLogged(note)).filter((note) => typeof note !== 'string')
  const record = drawRecord(statements, game, draw)
  if (record === null) return []
  const played = { game, number: draw, startAt: record.startAt, isDrawn: record.state === 'settled' }
  const openIn = ({ receipt }: PlayReceipt) => readReceipt(receipt.receipt)?.open
  // A delayed draw may start together with another one, and before a draw its plays have only the start time.
  const twins = played.isDrawn ? [] : opensOfTwins(statements, { game, record })
  const fetchAll = async () => {
    const receipts = await receiptsOfPlays(api, played)
    return receipts.filter((one) => !twins.includes(openIn(one) ?? ''))
  }
  const receipts = await fetchAll()
  // A play may have moved to another draw between the two answers: after a repeated request they agree.
  return receipts.every((one) => openIn(one) === record.open.hash) ? receipts : fetchAll()
}

/** Hashes of the statements that opened a game's other draws which start when a draw does. */
function opensOfTwins(
  statements: readonly LoggedNote[],
  { game, record }: { game: string; record: DrawRecord },
): string[] {
  const { startAt } = record
  const putOff = ofType(statements, 'postpone').filter(({ statement }) => statement.start === startAt)
  const putOffTo = new Set(putOff.map(({ statement }) => statement.open))
  return ofType(statements, 'open')
    .filter(({ hash, statement }) => statement.start === startAt || putOffTo.has(hash))
    .filter(({ statement }) => statement.game === game && statement.draw !== record.open.statement.draw)
    .filter(({ statement }) => drawRecord(statements, game, statement.draw)?.startAt === startAt)
    .map(({ hash }) => hash)
}

async function receiptsOfPlays(api: Api, played: PlayedDraw): Promise<PlayReceipt[]> {
  const plays = await playsOfDraw(api, played)
  const receipts: PlayReceipt[] = []
  for (let at = 0; at < plays.length; at += AT_ONCE) {
    const some = plays.slice(at, at + AT_ONCE)
    receipts.push(
      ...(await Promise.all(
        some.map(async ({ id, tickets }) => ({
          receipt: await api.call('getReceipt', { params: { play_id: id } }),
          lines: tickets,
        })),
      )),
    )
  }
  return receipts
}
