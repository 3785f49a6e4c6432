import type { Db } from '../../db/pool.ts'
import { NodeUnreachable } from '../bitcoin-node/rpc.ts'
import type { ListedOutput } from './core-answers.ts'
import { findNewest, findTxsOf, keepNewest, noteTxs } from './queries.ts'
import type { WatchWallet } from './watch-wallet.ts'

/**
 * Which transactions pay an address, from our table. Bitcoin Core has no index of that: for each such question it walks
 * all transactions of the wallet. It does keep them in the order in which it heard of them, so what is new is at the end
 * of its list, however long that is. The table says nothing about a transaction's state, for which the node is asked.
 */

/** Number of outputs that are listed first. Usually all that is new is among them. */
const FIRST_PAGE = 20
/** Each further page has so many times the outputs of the one before, */
const PAGE_GROWTH = 10
/** up to this number: its answer is held in memory. */
const LARGEST_PAGE = 10_000
/** Number of rows that one statement stores. */
const ROWS_AT_ONCE = 10_000
/** Time limit of lists over the whole wallet, which grows with every payment there ever was. */
export const LIST_TIMEOUT_MS = 60_000

/** What listing a wallet needs. */
export interface ListedWallet {
  readonly db: Db
  readonly watching: WatchWallet
  /** its name in the node */
  readonly wallet: string
  /** the lists of what is new in this process: one runs, and all that ask meanwhile wait for the next */
  readonly listing: { running: Promise<void>; waiting: Promise<void> | null }
}

/** The transactions that ever paid an address, each once, up to this moment. */
export async function receivedAt(ctx: ListedWallet, address: string): Promise<string[]> {
  await listNew(ctx)
  return (await ctx.db.run(findTxsOf, [address])).map(({ txid }) => txid)
}

/** What the wallet received, by address. */
export interface Received {
  readonly address: string
  readonly txids: readonly string[]
}

/**
 * Lists what every address that has a label received: this repairs whatever is missing in the table. Pages would take
 * much longer, because for each the node walks all that it skips.
 */
export async function listWhole(ctx: ListedWallet): Promise<void> {
  try {
    const params = { minconf: 0, include_empty: false, include_immature_coinbase: true }
    const received = await ctx.watching.call<Received[]>('listreceivedbyaddress', params, LIST_TIMEOUT_MS)
    await note(
      ctx,
      received.flatMap(({ address, txids }) => txids.map((txid) => ({ address, txid }))),
    )
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error
    return await listBackTo(ctx, null) // the answer may have been too large
  }
  await listNew(ctx)
}

/** Has the next one who lists the wallet do it from its beginning, in whichever process. */
export async function forgetListed({ db, wallet }: Pick<ListedWallet, 'db' | 'wallet'>): Promise<void> {
  await db.execute(keepNewest, [wallet, null])
}

/** Notes listed outputs. Those that left us pay no address of ours. */
export async function noteListed(ctx: Pick<ListedWallet, 'db'>, outputs: readonly ListedOutput[]): Promise<void> {
  await note(
    ctx,
    outputs.flatMap(({ category, address, txid }) =>
      category === 'send' || address === undefined ? [] : [{ address, txid }],
    ),
  )
}

async function note(
  { db }: Pick<ListedWallet, 'db'>,
  payments: readonly { readonly address: string; readonly txid: string }[],
): Promise<void> {
  // Rows are locked while they are inserted, in one order everywhere.
  const keyOf = ({ address, txid }: (typeof payments)[number]): string => `${address} ${txid}`
  const rows = [...new Map(payments.map((one) => [keyOf(one), one])).entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    await db.execute(noteTxs, [some.map(({ address }) => address), some.map(({ txid }) => txid)])
  }
}

/** Notes everything that the wallet has when this is called. */
function listNew(ctx: ListedWallet): Promise<void> {
  const { listing } = ctx
  listing.waiting ??= listing.running = listing.running
    .catch(() => undefined)
    .then(async () => {
      listing.waiting = null
      await listBackTo(ctx, (await ctx.db.maybeOne(findNewest, [ctx.wallet]))?.txid ?? null)
    })
  return listing.waiting
}

/**
 * Notes everything that the wallet heard of after a transaction. The newest is kept last: a process that dies before, or
 * another that lists at the same time, only has some listed again.
 *
 * @param known null, or one that the wallet does not have: from its beginning
 */
async function listBackTo(ctx: ListedWallet, known: string | null): Promise<void> {
  let newest: string | null = null
  let count = FIRST_PAGE
  for (let skip = 0; ;) {
    // What arrives between two pages moves the second one: it repeats some, and leaves none out.
    const page: ListedOutput[] = await ctx.watching.call('listtransactions', { count, skip }, LIST_TIMEOUT_MS)
    newest ??= page.at(-1)?.txid ?? null
    const place = page.findLastIndex(({ txid }) => txid === known)
    await noteListed(ctx, page.slice(place + 1))
    if (place >= 0 || page.length < count) break
    skip += count
    count = Math.min(count * PAGE_GROWTH, LARGEST_PAGE)
  }
  if (newest !== null && newest !== known) await ctx.db.execute(keepNewest, [ctx.wallet, newest])
}
