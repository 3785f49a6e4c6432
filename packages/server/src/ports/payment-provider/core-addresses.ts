import type { Runtime } from '../../runtime/runtime.ts'
import type { AccountKey } from './account-key.ts'
import { LIST_TIMEOUT_MS, type ListedWallet, type Received } from './core-listing.ts'
import { ProviderUnfit } from './payment-provider.ts'
import { findAddressOf, findGiven, findUse, giveAddress, keepAddress, takeAddressIndex } from './queries.ts'

/** Addresses of the operator's account for paying orders: assigns them, and ensures that the node watches them. */

/** Addresses skipped in one call because something unknown to this database gave them out or used them. */
const MAX_PASSED_OVER = 200
/** The node's label of the operator's own addresses. An order's address has the order's id as its label. */
const OPERATOR_LABEL = 'house'

/** What giving out addresses needs. */
export interface AccountAddresses extends ListedWallet {
  readonly runtime: Pick<Runtime, 'clock'>
  readonly account: AccountKey
}

/** The time of blocks: the demo's clock may be ahead of it. Epoch seconds. */
export function outsideNow({ runtime }: Pick<AccountAddresses, 'runtime'>): number {
  return runtime.clock.now() - runtime.clock.offsetSeconds()
}

/** An order has one address for ever, even if it is requested twice at the same time. @throws ProviderUnfit */
export async function addressOf(ctx: AccountAddresses, orderId: string): Promise<string> {
  const { db, account } = ctx
  for (let left = MAX_PASSED_OVER; left > 0; left--) {
    const given = await db.maybeOne(findAddressOf, [orderId])
    if (given !== null) {
      const { labels } = await infoOf(ctx, given.address)
      await assertNamed(ctx, given.address, orderId, labels)
      return given.address
    }
    const address = await freshAddress(ctx, orderId, (fresh, index) =>
      // In the blocks' own time: if the node's wallet is lost, they are read again from then on.
      db.execute(giveAddress, {
        address: fresh,
        now: outsideNow(ctx),
        index: BigInt(index),
        orderId,
        account: account.xpub,
      }),
    )
    if (address === null) continue
    if ((await db.maybeOne(findAddressOf, [orderId]))?.address === address) return address
  }
  throw allUsed()
}

/** The next unused address, for the operator's own deposits: no order gets it. @throws ProviderUnfit */
export async function addressOfOperator(ctx: AccountAddresses): Promise<string> {
  for (let left = MAX_PASSED_OVER; left > 0; left--) {
    const address = await freshAddress(ctx, OPERATOR_LABEL, (fresh, index) =>
      ctx.db.execute(keepAddress, [fresh, outsideNow(ctx), BigInt(index), ctx.account.xpub]),
    )
    if (address !== null) return address
  }
  throw allUsed()
}

/** Whether an address is one of the wallet's. @throws ProviderUnfit if it is not and an order has it */
export async function isWatched(ctx: AccountAddresses, address: string): Promise<boolean> {
  const { ismine, labels } = await infoOf(ctx, address)
  const [given] = await ctx.db.run(findGiven, [[address]])
  if (!ismine && given !== undefined)
    throw new ProviderUnfit(
      `The node's wallet ${ctx.wallet} does not watch ${address}, which an order has. Was the wallet or the key changed?`,
    )
  if (given !== undefined) await assertNamed(ctx, address, given.orderId, labels)
  return ismine
}

/**
 * Whether the wallet never received anything at an address that has a label. Where two sources agree the wallet, all of
 * which the node would walk, is not asked: our table, if it is whole, has nothing, and the node's own lowest index
 * beyond all that were paid is not higher. An older program had the node forget that index at times.
 */
async function isUnused(ctx: AccountAddresses, address: string, index: number): Promise<boolean> {
  const { db, watching, wallet } = ctx
  const { isListed, isPaid } = await db.one(findUse, [wallet, address])
  if (isPaid) return false
  if (isListed && index >= (await watching.beyondPaid())) return true
  const received = await watching.call<Received[]>(
    'listreceivedbyaddress',
    { minconf: 0, include_empty: false, address_filter: address, include_immature_coinbase: true },
    LIST_TIMEOUT_MS,
  )
  return received.every(({ txids }) => txids.length === 0)
}

function allUsed(): ProviderUnfit {
  return new ProviderUnfit(
    'The next addresses were all given out or used before: is the database an old backup, or does another program have the account? Trying goes on.',
  )
}

/**
 * Takes the next address and keeps it. Null if it was used before: the node has a label for it (an empty one comes from
 * its own wallet), or it received something, which was counted as something else or belongs to someone else.
 *
 * @param name the node's label of it from now on
 */
async function freshAddress(
  ctx: AccountAddresses,
  name: string,
  keep: (address: string, index: number) => Promise<unknown>,
): Promise<string | null> {
  const { db, account, watching } = ctx
  const index = Number((await db.one(takeAddressIndex, [account.xpub])).index)
  const address = account.addressAt(index)
  await watching.assertSameAddress(index, address)
  await watching.reachTo(index)
  const { labels, ismine } = await infoOf(ctx, address)
  if (!ismine) throw new ProviderUnfit(`The node does not watch the address at index ${index}.`)
  if (labels.length > 0) return null
  // The node also stores whose an address is: a database restored from a backup counts from an older index. And the
  // wallet does not list what an address without a label received.
  await watching.call('setlabel', { address, label: name })
  if (!(await isUnused(ctx, address, index))) return null
  // Another installation may have labelled it at the same moment.
  if (!(await infoOf(ctx, address)).labels.includes(name)) return null
  await keep(address, index)
  return address
}

async function infoOf({ watching }: AccountAddresses, address: string): Promise<{ labels: string[]; ismine: boolean }> {
  return await watching.call('getaddressinfo', { address })
}

/**
 * Labels an order's address in the node with the order, even after its wallet was lost.
 *
 * @param labels those it has
 * @throws ProviderUnfit if it also belongs to something else: what is paid there could be counted twice
 */
async function assertNamed(
  ctx: AccountAddresses,
  address: string,
  orderId: string,
  labels: readonly string[],
): Promise<void> {
  if (labels.includes(orderId)) return
  if (labels.some((label) => label !== ''))
    throw new ProviderUnfit(
      `The address ${address} of order ${orderId} was given out for something else as well. Does another installation use this account?`,
    )
  await ctx.watching.call('setlabel', { address, label: orderId })
}
