import type { AnswerOf } from '@fairball/contract/calls'
import { satsToBtc } from '@fairball/domain/money'
import type { Queries } from '../../db/pool.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import { DEBIT_KINDS, type LedgerAccountKind, lightning, wallet } from '../ledger/accounts.ts'
import { balanceOf, balancesByKind, freeTicketsOwed } from '../ledger/service.ts'
import type { TreasuryContext } from './context.ts'
import { type DepositSummary, parseSummary, summaryOf, summaryText } from './deposits.ts'
import { followWallets, pendingSats } from './following.ts'
import * as queries from './queries.ts'
import { bookLightningFees } from './lightning-fees.ts'
import { leavingNodeSats } from './lightning-moves.ts'
import { type Assets, readLightning, readWallets, storeHoldings } from './reading.ts'

export type { SweepPlan } from './deposits.ts'
export { planSweep } from './deposits.ts'
export { summaryLines } from './deposits.ts'

export { type TreasuryContext, treasuryContext } from './context.ts'
export { isPayout } from './following.ts'
export { bookLightningFees } from './lightning-fees.ts'

/** What is the operator's own: the wallet need not cover it (decisions section 5). */
const OWN_KINDS: readonly LedgerAccountKind[] = ['bankroll', 'operator_fee', 'fee_reserve']
/** How often wallets are followed and compared with the ledger, in real time. */
const LOOK_MS = 60_000
/** How often the coins of the deposits are listed: the node goes through its whole wallet for it. */
const COINS_SECONDS = 600
/** A block or a payment that comes in between spoils a comparison: it is repeated. */
const TRIES = 3
/** Number of checks an unexplained amount must stay the same before it is reported: payments are checked sooner. */
export const LOOKS_APART = 10

/** Wallets and ledger at their last comparison. */
export interface TreasuryStatus {
  /** what each wallet held, in sats */
  readonly wallets: ReadonlyMap<string, bigint>
  /** what the wallets held less what the ledger said; null before the first comparison */
  readonly differenceSats: bigint | null
  /** what the Lightning node held less what the ledger said; below 0 is an alarm; null without one, and if unknown */
  readonly lightningDifferenceSats: bigint | null
  /** the unexplained part of it: anything but 0 for long is an alarm; null if unknown */
  readonly unexplainedSats: bigint | null
  /** spends that wait until the operator says what they were */
  readonly unbooked: number
  /** the coins of the deposits; null if they were never listed */
  readonly deposits: DepositSummary | null
}

async function readSolvency(ctx: TreasuryContext): Promise<AnswerOf<'getSolvency'>> {
  const [chain, overLightning] = [await readWallets(ctx), await readLightning(ctx)]
  const readings = [...chain.readings, ...(overLightning === null ? [] : [overLightning.reading])]
  const heldSats = readings.reduce((sum, { sats }) => sum + sats, 0n)
  const balances = await balancesByKind(ctx.db)
  const liabilities = [...balances].filter(([kind]) => !DEBIT_KINDS.includes(kind))
  const owedSats = liabilities.filter(([kind]) => !OWN_KINDS.includes(kind)).reduce((sum, [, sats]) => sum + sats, 0n)
  const ledgerSats = (balances.get('wallet') ?? 0n) + (balances.get('lightning') ?? 0n)
  // What games carry from draw to draw is in their states, which an invariant compares with the ledger.
  const pots = (await ctx.db.one(queries.sumPots, [])).sats
  const owed = new Map<string, bigint>(liabilities)
  if (owed.delete('prize_pool')) owed.set('pots', pots)
  return {
    assets: Object.fromEntries(readings.map((one) => [one.wallet, satsToBtc(one.sats)])),
    ledger: satsToBtc(ledgerSats),
    difference: satsToBtc(heldSats - ledgerSats),
    read_at: readings.length === 0 ? null : Math.min(...readings.map((one) => one.readAt)),
    liabilities: Object.fromEntries([...owed].map(([kind, sats]) => [kind, satsToBtc(sats)])),
    free_tickets: Number(await freeTicketsOwed(ctx.db)),
    solvent: chain.readings.length > 0 && heldSats >= owedSats,
  }
}

/** Compares the wallets with the ledger; repeated if something changed during it. */
async function compareWithLedger(ctx: TreasuryContext, movements: Movements | null): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const before = await stand(ctx)
    const pending = movements === null ? 0n : await pendingSats(ctx, movements)
    const after = await stand(ctx)
    const isStill = before.ledgerSats === after.ledgerSats && isSame(before.assets, after.assets)
    if (!isStill && left > 1) continue
    // Wallets that were not read just now say nothing about what is pending now.
    const known = isStill && after.assets.isFresh ? pending : null
    const overLightning = movements === null ? await compareLightning(ctx) : await compareFollowed(ctx, movements)
    await ctx.db.execute(queries.storeCheck, {
      now: ctx.runtime.clock.now(),
      ledgerSats: after.ledgerSats,
      heldSats: after.assets.heldSats,
      pendingSats: known,
      lightningLedgerSats: overLightning?.ledgerSats ?? null,
      lightningHeldSats: overLightning?.heldSats ?? null,
    })
    sayWhenApart(ctx, after.assets.heldSats - after.ledgerSats, known)
    return
  }
}

/** The same once its fees are booked; null as well if they changed meanwhile, or are not told. */
async function compareFollowed(ctx: TreasuryContext, movements: Movements): ReturnType<typeof compareLightning> {
  try {
    const before = await bookLightningFees(ctx)
    const compared = await compareLightning(ctx)
    const after = await ctx.lightning?.fees()
    if (compared === null || before?.chainFeeMsat !== after?.chainFeeMsat) return null
    return { ...compared, heldSats: compared.heldSats + (await leavingNodeSats(ctx, movements)) }
  } catch (error) {
    ctx.runtime.log.warn({ err: error }, 'the Lightning node could not be compared with the ledger')
    return null
  }
}

/** What the Lightning node holds and the ledger says; null without a node, or while it does not say. */
async function compareLightning(
  ctx: TreasuryContext,
): Promise<{ readonly ledgerSats: bigint; readonly heldSats: bigint } | null> {
  if (ctx.lightning === null) return null
  // The ledger first: what is paid meanwhile is held before it is booked.
  const ledgerSats = await balanceOf(ctx.db, lightning)
  const held = await readLightning(ctx)
  return held === null || !held.isFresh ? null : { ledgerSats, heldSats: held.reading.sats }
}

async function stand(ctx: TreasuryContext): Promise<{ assets: Assets; ledgerSats: bigint }> {
  const assets = await readWallets(ctx)
  return { assets, ledgerSats: await balanceOf(ctx.db, wallet) }
}

function sayWhenApart(ctx: TreasuryContext, differenceSats: bigint, pendingSats: bigint | null): void {
  if (pendingSats === null) return
  const sats = differenceSats - pendingSats
  ctx.apart.looks = sats === ctx.apart.sats ? ctx.apart.looks + 1 : 1
  ctx.apart.sats = sats
  if (sats === 0n || ctx.apart.looks % LOOKS_APART !== 0) return
  const facts = { unexplainedSats: String(sats), differenceSats: String(differenceSats) }
  ctx.runtime.log.error(facts, 'wallets and ledger are apart, and what is on its way does not explain it')
}

/** Books what became final on the chain, and compares the wallets with the ledger; once. */
export async function lookAtWallets(ctx: TreasuryContext): Promise<void> {
  const { movements } = ctx
  if (movements !== null) {
    await followWallets(ctx, movements)
    await compareWithLedger(ctx, movements)
  }
  await listCoins(ctx)
}

/** Keeps what the demo's wallet holds, and its comparison with the ledger, for the console, which asks no wallet. */
export async function keepTestWallet(ctx: TreasuryContext): Promise<void> {
  if (ctx.movements !== null) return // the worker follows it
  for (const source of ctx.sources) await storeHoldings(ctx, source.name, await source.read())
  await compareWithLedger(ctx, null)
}

async function listCoins(ctx: TreasuryContext): Promise<void> {
  if (ctx.deposits === undefined) return
  const now = ctx.runtime.clock.now()
  const known = await readCoins(ctx.db)
  if (known !== null && Math.abs(now - known.readAt) < COINS_SECONDS) return
  const { rate } = await ctx.deposits.estimateFee()
  const summary = summaryOf(await ctx.deposits.list(), rate, now)
  await ctx.db.execute(queries.storeCoins, [summaryText(summary)])
}

/**
 * What is held and owed. With wallets of a real chain, requests within five seconds share one answer, so this public
 * question cannot be used to load the node.
 */
export function solvency(ctx: TreasuryContext): Promise<AnswerOf<'getSolvency'>> {
  return ctx.movements === null ? readSolvency(ctx) : ctx.solvency.get(() => readSolvency(ctx))
}

/** What left our wallets and is not booked yet, in sats. */
export async function missingSats(from: Queries): Promise<bigint> {
  return (await from.one(queries.sumUnbooked, [])).sats
}

/** Follows the wallets until it is stopped. With the test chain there is nothing to follow. */
export function startTreasury(ctx: TreasuryContext): void {
  const look = (): Promise<void> =>
    lookAtWallets(ctx).catch((error: unknown) => {
      ctx.runtime.log.error({ err: error }, 'the wallets could not be followed')
    })
  if (ctx.movements !== null) ctx.loop.start(look, LOOK_MS)
}

/** Ends what `startTreasury` began. */
export async function stopTreasury(ctx: TreasuryContext): Promise<void> {
  await ctx.loop.stop()
}

/** The result of the last comparison; asks no wallet but the demo's, which is in this database. */
export async function treasuryStatus(ctx: TreasuryContext): Promise<TreasuryStatus> {
  if (ctx.movements !== null) return await readStatus(ctx.db)
  const { assets, ledgerSats } = await stand(ctx)
  const differenceSats = assets.heldSats - ledgerSats
  const overLightning = await compareLightning(ctx)
  const wallets = new Map(assets.readings.map((one) => [one.wallet, one.sats]))
  if (overLightning !== null) wallets.set('lightning', overLightning.heldSats)
  return {
    wallets,
    differenceSats,
    lightningDifferenceSats: overLightning === null ? null : overLightning.heldSats - overLightning.ledgerSats,
    unexplainedSats: differenceSats,
    unbooked: 0,
    deposits: null,
  }
}

/** What the wallets held at the last comparison, in sats. */
export async function heldSats(ctx: TreasuryContext): Promise<bigint> {
  const { wallets } = await treasuryStatus(ctx)
  return [...wallets.values()].reduce((sum, sats) => sum + sats, 0n)
}

/** The result of the last comparison, as it was stored. */
export async function readStatus(from: Queries): Promise<TreasuryStatus> {
  const readings = await from.run(queries.listReadings, [])
  const check = await from.maybeOne(queries.findCheck, [])
  const { movements } = await from.one(queries.sumUnbooked, [])
  const differenceSats = check === null ? null : check.heldSats - check.ledgerSats
  const pendingSats = check?.pendingSats ?? null
  const wallets = new Map<string, bigint>()
  for (const { wallet: name, sats } of readings) wallets.set(name, (wallets.get(name) ?? 0n) + sats)
  return {
    wallets,
    differenceSats,
    lightningDifferenceSats: differenceOf(check?.lightningHeldSats ?? null, check?.lightningLedgerSats ?? null),
    unexplainedSats: differenceSats === null || pendingSats === null ? null : differenceSats - pendingSats,
    unbooked: movements,
    deposits: await readCoins(from),
  }
}

function differenceOf(heldSats: bigint | null, ledgerSats: bigint | null): bigint | null {
  return heldSats === null || ledgerSats === null ? null : heldSats - ledgerSats
}

async function readCoins(from: Queries): Promise<DepositSummary | null> {
  const row = await from.maybeOne(queries.findCoins, [])
  return row === null ? null : parseSummary(row.value)
}

function isSame(one: Assets, other: Assets): boolean {
  const text = ({ readings }: Assets): string => readings.map(({ wallet: name, sats }) => `${name} ${sats}`).join('\n')
  return text(one) === text(other)
}
export { findPayoutTxs, listReadings, moveMovement, isUnbooked, movementKind, movementState } from './queries.ts'
