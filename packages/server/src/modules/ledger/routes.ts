import { calls } from '@fairball/contract/calls'
import { satsToBtc } from '@fairball/domain/money'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/pool.ts'
import { route } from '../../http/route.ts'
import { DEBIT_KINDS, type LedgerAccountKind } from './accounts.ts'
import type { Ledger } from './service.ts'

/** What is the operator's own: the wallet need not cover it (decisions section 5). */
const OWN_KINDS: readonly LedgerAccountKind[] = ['bankroll', 'operator_fee', 'fee_reserve']
const CACHE_SECONDS = 5

/** What the operator holds and owes. */
export function ledgerRoutes(app: FastifyInstance, deps: { db: Db; ledger: Ledger }): void {
  const { db, ledger } = deps
  route(
    app,
    calls.getSolvency,
    async () => {
      const balances = await ledger.balancesByKind(db)
      const liabilities = [...balances].filter(([kind]) => !DEBIT_KINDS.includes(kind))
      const owedSats = liabilities
        .filter(([kind]) => !OWN_KINDS.includes(kind))
        .reduce((sum, [, sats]) => sum + sats, 0n)
      const walletSats = balances.get('wallet') ?? 0n
      return {
        assets: { wallet: satsToBtc(walletSats) },
        ledger: satsToBtc(walletSats),
        difference: satsToBtc(0n),
        read_at: null,
        liabilities: Object.fromEntries(liabilities.map(([kind, sats]) => [kind, satsToBtc(sats)])),
        free_tickets: Number(await ledger.freeTicketsOwed(db)),
        solvent: walletSats >= owedSats,
      }
    },
    { cache: { seconds: CACHE_SECONDS } },
  )
}
