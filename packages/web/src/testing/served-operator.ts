import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { chooseStatements } from '@fairball/domain/protocol/make-bundle'
import { nobleHash, textHash } from '@fairball/domain/protocol/hash'
import {
  TEST_LOG_SEED,
  TEST_ORIGIN,
  TEST_RULES,
  type TestDraw,
  type TestOperator,
} from '@fairball/domain/protocol/operator-fixture'
import { leafOfPlay, type OrderPlay, promiseOf, signPaper } from '@fairball/domain/protocol/papers'
import { playId, playSecret } from '@fairball/domain/protocol/plays'
import { servedFiles } from '@fairball/domain/protocol/served-files-fixture'
import { NO_HASH } from '@fairball/domain/protocol/statement-codecs'
import type { PayBy, StatementOf } from '@fairball/domain/protocol/statements'
import { inclusionNodes, leafHash, proofOf, rootOf } from '@fairball/domain/protocol/tree'
import { readNote } from '@fairball/domain/protocol/note'
import type { DrawHint, PlayPapers } from '@fairball/contract/schemas/fairness'
import { ApiError } from '@fairball/contract/client'
import type { Runtime } from '../shared/runtime.ts'

/** The files that a test's operator serves, and the papers that it gives to a player. */

/** Answers requests for an operator's files; other addresses are 404. @param read returns the present files */
export function fileServer(read: () => Promise<ReadonlyMap<string, Uint8Array>>): Runtime['fetch'] {
  return async (address) => {
    const path = typeof address === 'string' ? address : ''
    const files = path.startsWith('/fairball/') ? await read() : new Map<string, Uint8Array>()
    const file = files.get(path.slice('/fairball/'.length))
    return file === undefined ? new Response('', { status: 404 }) : new Response(file.slice())
  }
}

/** The files of an operator at this moment. */
export async function filesOf(operator: TestOperator): Promise<ReadonlyMap<string, Uint8Array>> {
  const { now } = operator
  const bundle = await operator.bundle()
  operator.now = now
  return servedFiles(
    // Plays are not served before their draw is closed, and the beacon only with the result.
    {
      ...bundle,
      draws: bundle.draws.map((draw, place) => {
        const { close = null, final = null } = operator.draws[place] ?? {}
        return { ...draw, plays: close === null ? null : draw.plays, beacon: final === null ? null : draw.beacon }
      }),
    },
    operator.statements.map(({ text }) => text),
  )
}

/** The places of the statements about a draw in an operator's log. */
export function hintOf(operator: TestOperator, number: number): DrawHint {
  const draw = operator.draws[number - 1]
  if (draw === undefined) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
  const { open, close, final } = draw
  return {
    origin: TEST_ORIGIN,
    open: open.hash,
    statements: chooseStatements(operator.statements, [open.hash]),
    seal: draw.seal === null ? null : (close?.hash ?? null),
    postpones: [],
    result: final?.index ?? null,
    state: final === null ? (close === null ? 'open' : 'sealed') : 'settled',
  }
}

/** An order of a player in one draw of an operator, and the papers for it. */
export class PlayersOrder {
  readonly secret: Uint8Array
  readonly play: OrderPlay
  readonly #username: string
  readonly #draw: TestDraw

  constructor(draw: TestDraw, { secret, username, lines }: Pick<PlayersOrder, 'secret'> & SoldTo) {
    this.secret = secret
    this.#username = username
    this.#draw = draw
    this.play = { open: draw.open.hash, lines, free: 0, price: TEST_RULES.price.value }
  }

  /** The signed promise. @param changes lies, as an operator could sign them */
  promise(changes: Partial<StatementOf<'promise'>> = {}, pay: readonly PayBy[] = [{ by: 'none' }]): string {
    const offer = {
      log: TEST_ORIGIN,
      time: this.#draw.open.statement.time,
      order: 'order-1',
      pay,
      rate: { currency: 'GBP', value: 3000 },
      confirmations: 1,
      expires: this.#draw.open.statement.close - 60,
    }
    const promise = promiseOf({ secret: this.secret, payto: '', plays: [this.play] }, offer)
    return signPaper({ ...promise, ...changes }, TEST_LOG_SEED)
  }

  /** The play's id in the protocol, hex. */
  get id(): string {
    return toHex(playId(playSecret(this.secret, fromHex(this.play.open))))
  }

  /** The answer of `GET /plays/{id}/receipt`: there is no receipt before the play is in the draw's list. */
  papers(changes: Partial<StatementOf<'receipt'>> = {}): PlayPapers {
    const { leaves, sold } = this.#draw
    const promise = this.promise()
    const leaf = toHex(leafHash(nobleHash, leafOfPlay(this.secret, this.play, 3000, this.#username)))
    const hashes = leaves.map((one) => leafHash(nobleHash, one))
    const index = hashes.findIndex((hash) => toHex(hash) === leaf)
    const own = { promise, secret: toHex(this.secret), username: this.#username }
    if (index < 0) return { ...own, receipts: [] }
    const size = sold?.statement.size ?? 0
    const path = proofOf(nobleHash, inclusionNodes(index, size), ({ level, index: at }) =>
      rootOf(nobleHash, hashes.slice(at * 2 ** level, (at + 1) * 2 ** level)),
    )
    const receipt = {
      type: 'receipt',
      log: TEST_ORIGIN,
      time: sold?.statement.time ?? 0,
      order: 'order-1',
      promise: textHash(readNote(promise)?.text ?? ''),
      open: this.play.open,
      play: this.id,
      leaf,
      index,
      statement: sold?.hash ?? NO_HASH,
      supersedes: NO_HASH,
      reason: 'none',
      ...changes,
    } as const
    return { ...own, receipts: [{ note: signPaper(receipt, TEST_LOG_SEED), path: path.map(toHex) }] }
  }
}

/** The buyer and the purchase. */
interface SoldTo {
  readonly username: string
  readonly lines: OrderPlay['lines']
}
