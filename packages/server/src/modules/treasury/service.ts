import type { AnswerOf } from '@fairball/contract/calls'
import { satsToBtc } from '@fairball/domain/money'
import type { Db, Queries } from '../../db/pool.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { DEBIT_KINDS, type LedgerAccountKind, wallet } from '../ledger/accounts.ts'
import type { Ledger } from '../ledger/service.ts'
import { type BookUnknown, createFollowing } from './following.ts'
import * as queries from './queries.ts'
import { type Assets, createReading, type WalletSource } from './reading.ts'

/** What is the operator's own: the wallet need not cover it (decisions section 5). */
const OWN_KINDS: readonly LedgerAccountKind[] = ['bankroll', 'operator_fee', 'fee_reserve']
/** Everybody who asks within this time, in real time, gets one answer. */
export const SHARED_MS = 5_000
/** Wallets are followed, and held against the ledger, this often in real time. */
const LOOK_MS = 60_000
/** A block that comes in between, or a payment, spoils a comparison: it is done again. */
const TRIES = 3
/** What nothing explains is told when it has stood this many looks, the same: a payment is looked at sooner. */
export const LOOKS_APART = 10

export interface TreasuryDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'steady' | 'log'>
  readonly ledger: Ledger
  /** Who says what is held. */
  readonly sources: readonly WalletSource[]
  /** What moves coins of our wallets on a real chain; null with the test chain, where nothing moves but payments and payouts. */
  readonly movements: Movements | null
  readonly bookUnknown: BookUnknown
}

/** How wallets and ledger stood when they were held against each other last. */
export interface TreasuryStatus {
  /** what each wallet held, in sats */
  readonly wallets: ReadonlyMap<string, bigint>
  /** what the wallets held less what the ledger said; null before the first time */
  readonly differenceSats: bigint | null
  /** the part of it that nothing explains: anything but 0 for long is an alarm; null where nobody knows */
  readonly unexplainedSats: bigint | null
  /** spends that wait for the operator to say what they were */
  readonly unbooked: number
}

export type Treasury = ReturnType<typeof createTreasury>

/** What the operator holds and owes, and the operator's own money in and out. */
export function createTreasury(deps: TreasuryDeps) {
  const { db, runtime, ledger, movements } = deps
  const isReal = movements !== null
  const reading = createReading({ ...deps, keepsReadings: isReal })
  const following = movements === null ? null : createFollowing({ ...deps, movements })
  const stopped = new AbortController()
  let looking: Promise<void> = Promise.resolve()
  let apart = { sats: 0n, looks: 0 }
  let shared: { readonly untilMs: number; readonly answer: Promise<AnswerOf<'getSolvency'>> } | null = null

  async function readSolvency(): Promise<AnswerOf<'getSolvency'>> {
    const assets = await reading.read()
    const balances = await ledger.balancesByKind(db)
    const liabilities = [...balances].filter(([kind]) => !DEBIT_KINDS.includes(kind))
    const owedSats = liabilities.filter(([kind]) => !OWN_KINDS.includes(kind)).reduce((sum, [, sats]) => sum + sats, 0n)
    const ledgerSats = balances.get('wallet') ?? 0n
    return {
      assets: Object.fromEntries(assets.readings.map((one) => [one.wallet, satsToBtc(one.sats)])),
      ledger: satsToBtc(ledgerSats),
      difference: satsToBtc(assets.heldSats - ledgerSats),
      read_at: assets.readAt,
      liabilities: Object.fromEntries(liabilities.map(([kind, sats]) => [kind, satsToBtc(sats)])),
      free_tickets: Number(await ledger.freeTicketsOwed(db)),
      solvent: assets.readings.length > 0 && assets.heldSats >= owedSats,
    }
  }

  /** Holds the wallets against the ledger; done again where something changed in the middle of it. */
  async function check(): Promise<void> {
    if (following === null) return
    for (let left = TRIES; ; left -= 1) {
      const before = await stand()
      const pendingSats = await following.pendingSats()
      const after = await stand()
      const isStill = before.ledgerSats === after.ledgerSats && isSame(before.assets, after.assets)
      if (!isStill && left > 1) continue
      // Wallets that were not read just now say nothing of what is pending now.
      const known = isStill && after.assets.isFresh ? pendingSats : null
      await db.run(queries.storeCheck, [runtime.clock.now(), after.ledgerSats, after.assets.heldSats, known])
      sayWhenApart(after.assets.heldSats - after.ledgerSats, known)
      return
    }
  }

  async function stand(): Promise<{ assets: Assets; ledgerSats: bigint }> {
    const assets = await reading.read()
    return { assets, ledgerSats: await ledger.balance(db, wallet) }
  }

  function sayWhenApart(differenceSats: bigint, pendingSats: bigint | null): void {
    if (pendingSats === null) return
    const sats = differenceSats - pendingSats
    apart = { sats, looks: sats === apart.sats ? apart.looks + 1 : 1 }
    if (sats === 0n || apart.looks % LOOKS_APART !== 0) return
    const facts = { unexplainedSats: String(sats), differenceSats: String(differenceSats) }
    runtime.log.error(facts, 'wallets and ledger are apart, and what is on its way does not explain it')
  }

  async function look(): Promise<void> {
    await following?.follow()
    await check()
  }

  async function lookOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      await look().catch((error: unknown) => {
        runtime.log.error({ err: error }, 'the wallets could not be followed')
      })
      await runtime.steady.sleep(LOOK_MS, stopped.signal).catch(() => undefined) // stopped
    }
  }

  return {
    /**
     * What is held and owed. With wallets of a real chain everybody who asks within five seconds gets the same answer, so
     * that this public question cannot be used to load the node.
     */
    solvency(): Promise<AnswerOf<'getSolvency'>> {
      if (!isReal) return readSolvency()
      if (shared !== null && runtime.steady.nowMs() < shared.untilMs) return shared.answer
      const answer = readSolvency()
      const own = { untilMs: runtime.steady.nowMs() + SHARED_MS, answer }
      shared = own
      answer.catch(() => {
        if (shared === own) shared = null
      })
      return answer
    },

    /** Books what became final on the chain, and holds the wallets against the ledger; once. */
    look,

    /** What left our wallets and nobody has booked yet, in sats. */
    missingSats: async (from: Queries): Promise<bigint> => (await from.one(queries.sumUnbooked, [])).sats,

    /** See `createFollowing`. Without wallets of our own nothing moves within the house. */
    movesWithinHouse: async (txid: string): Promise<boolean> =>
      following !== null && (await following.movesWithinHouse(txid)),

    /** Follows the wallets until it is stopped. With the test chain there is nothing to follow. */
    start(): void {
      if (isReal) looking = lookOn()
    },
    async stop(): Promise<void> {
      stopped.abort()
      await looking
    },

    /** How it stood at the last comparison; asks no wallet but the demo's, which is in this database. */
    async status(): Promise<TreasuryStatus> {
      if (isReal) return await readStatus(db)
      const { assets, ledgerSats } = await stand()
      const differenceSats = assets.heldSats - ledgerSats
      const wallets = new Map(assets.readings.map((one) => [one.wallet, one.sats]))
      return { wallets, differenceSats, unexplainedSats: differenceSats, unbooked: 0 }
    },
  }
}

/** How it stood at the last comparison, as it was stored. */
export async function readStatus(from: Queries): Promise<TreasuryStatus> {
  const readings = await from.run(queries.listReadings, [])
  const check = await from.maybeOne(queries.findCheck, [])
  const { movements } = await from.one(queries.sumUnbooked, [])
  const differenceSats = check === null ? null : check.held_sats - check.ledger_sats
  const pendingSats = check?.pending_sats ?? null
  const wallets = new Map<string, bigint>()
  for (const { wallet: name, sats } of readings) wallets.set(name, (wallets.get(name) ?? 0n) + sats)
  return {
    wallets,
    differenceSats,
    unexplainedSats: differenceSats === null || pendingSats === null ? null : differenceSats - pendingSats,
    unbooked: movements,
  }
}

function isSame(one: Assets, other: Assets): boolean {
  const text = ({ readings }: Assets): string => readings.map(({ wallet: name, sats }) => `${name} ${sats}`).join('\n')
  return text(one) === text(other)
}
