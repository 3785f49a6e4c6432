import type pg from 'pg'
import type { Statement } from '@fairball/server/testing/database'
import {
  type InvoiceSnapshot,
  type LightningNode,
  type LightningSender,
  NodeRefused,
  type PaymentProvider,
  type PrepareRequest,
  type SeenOutput,
  type Wallet,
} from '@fairball/server/testing/ports'
import type { Runtime } from '@fairball/server/testing/runtime'
import type { CrashPoint, Operation } from './crash-points.ts'
import type { WrapNode } from './lightning.ts'
import type { Rewrite } from './stepped-db.ts'

/** A bug planted from outside: in the database, in a statement on its way there, or at a port. */
export interface PlantedBug {
  readonly name: string
  /** a seed that finds it, in few steps (`npm run sim -- --bugs` reports the first one) */
  readonly foundBy: number
  readonly rewrite: Rewrite
  readonly wrapProvider: (provider: PaymentProvider) => PaymentProvider
  /** @param now epoch seconds */
  readonly wrapWallet: (wallet: Wallet, now: () => number) => Wallet
  /** replaces the operator's Lightning node */
  readonly wrapNode?: WrapNode
  /** replaces the processes' source of random bytes */
  readonly wrapRandom?: (random: Runtime['random']) => Runtime['random']
  /** found in tests of full length only, because that takes many steps */
  readonly isLong?: boolean
  /** false if no process compares its clock with the database's */
  readonly comparesClocks?: boolean
  /** the statement before which a transaction is cut in two */
  readonly commitsBefore?: string
  /** the statements that the bug is planted in */
  readonly statements: readonly string[]
  /** runs on the seed's database before it starts */
  readonly plant?: (observer: pg.Client) => Promise<void>
}

/** No bug. */
export const NOTHING_PLANTED: PlantedBug = {
  name: 'nothing',
  foundBy: 1,
  rewrite: (statement) => statement,
  wrapProvider: (provider) => provider,
  wrapWallet: (wallet) => wallet,
  statements: [],
}

/**
 * Every bug, one at a time. Each removes one protection, or two if one backs up the other. If something is protected
 * twice, removing one protection is not found, and should not be: docs/simulation.md lists what was tried of that kind.
 */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  bug('a request that comes again makes another order', {
    foundBy: 4,
    sql: 'alter table orders drop constraint orders_player_id_idempotency_key_key, drop constraint orders_secret_key',
    changes: {
      'orders.find-by-idempotency-key': ['idempotency_key = m.p2', 'idempotency_key = m.p2 and false'],
      'orders.is-secret-known': ['where secret = m.p1', 'where secret = m.p1 and false'],
    },
  }),
  bug('requests of one player are not taken one after the other', {
    foundBy: 4,
    changes: { 'orders.lock-player': [' for no key update', ''] },
  }),
  bug('an order is held for as long as its payment waits for a block', {
    foundBy: 2,
    isLong: true,
    changes: { 'payments.lock-order': ['hold_added_seconds as held_until', '14 * 86400 as held_until'] },
  }),
  bug('a payment whose fee was raised counts from its own time', {
    foundBy: 36,
    isLong: true,
    changes: { 'payments.pass-on': ['and outpoint = $2', 'and outpoint = $2 and false'] },
  }),
  bug('a player who begins an exclusion keeps playing what is not paid yet', {
    foundBy: 49,
    isLong: true,
    changes: { 'orders.lock-open': ['where player_id = $1 and', 'where player_id = $1 and false and'] },
  }),
  bug('a draw takes entries after its close', {
    foundBy: 1,
    changes: {
      'orders.share-draws': [
        /and (status = 'open' and )?closes_at > (e\.now|\(select min\(now\) from each_of\))/g,
        'and start_at > (select min(now) from each_of) - 900',
      ],
    },
  }),
  bug('a game that the bankroll does not carry is sold', {
    foundBy: 10,
    isLong: true,
    changes: {
      'draws.list-sales': [
        'max(d.guaranteed_minor + d.cover_minor) as',
        '0 * max(d.guaranteed_minor + d.cover_minor) as',
      ],
    },
  }),
  bug('the remainder of a stake is dropped', {
    foundBy: 2,
    changes: { 'orders.insert-plays': ['p.draw_id, p.stake_sats', 'p.draw_id, p.stake_sats / 7 * 7'] },
  }),
  bug('an order is sold at another price than its draws were signed with', {
    foundBy: 1,
    changes: {
      'orders.insert': [
        /draw_prices_minor(?=, price_minor, [a-z_, ]+\s+from given)/,
        '(select array_agg(minor * 3 / 2 order by place) from unnest(draw_prices_minor) with ordinality as p (minor, place))',
      ],
    },
  }),
  bug('an output that two looks see at once is stored twice', {
    foundBy: 18,
    sql: 'alter table payments drop constraint payments_pkey',
    changes: {
      'payments.lock-order': [' for update', ''],
      'payments.insert-payments': [/on conflict[^]*$/, ''],
    },
  }),
  bug('a payment is booked by each look that finds it, and the ledger takes the same key twice', {
    foundBy: 6,
    sql: 'alter table transfers drop constraint transfers_key_key',
    changes: {
      'payments.confirm-payments': ['and confirmed_at is null', ''],
      'ledger.insert-posted-transfer': ['on conflict (key) do nothing ', ''],
    },
  }),
  bug('an order of a portion is paid by the money of its neighbour', {
    foundBy: 11,
    changes: { 'payments.find-payments': ['select m.place,', 'select greatest(m.place - 1, 1) as place,'] },
  }),
  bug('an order that shares a transaction gets a line of another', {
    foundBy: 7,
    changes: {
      'orders.insert': [
        'unnest(g.parts, g.masks, g.dips)',
        `unnest(g.parts, coalesce((select n.masks[1:1] from given n where n.place < g.place limit 1), g.masks[1:1]) || g.masks[2:], g.dips)`,
      ],
    },
  }),
  bug('a message of the provider is taken each time it comes', {
    foundBy: 2,
    changes: {
      'payments.insert-webhook': ['do nothing', 'do update set ref = excluded.ref'],
    },
  }),
  bug('an answer of the provider is remembered, not read again', { foundBy: 8, wrapProvider: remembering }),
  bug('nobody asks whether a payout goes where its player was told', {
    foundBy: 6,
    changes: { 'payouts.list-batch-payees': ['where batch_id = $1', 'where batch_id = $1 and false'] },
  }),
  bug('a payment that the chain took back keeps counting', {
    foundBy: 8,
    changes: { 'payments.reverse': ['and missing_since <= $4', 'and missing_since <= $4 and false'] },
  }),
  bug('a wallet that is asked to send a payout again makes a second one', {
    foundBy: 3,
    isLong: true,
    wrapWallet: sendingAgain,
  }),
  bug('a refund leaves without its share of the fee', {
    foundBy: 5,
    changes: { 'payouts.find-outputs': ['sum(sats - fee_share_sats)', 'sum(sats)'] },
  }),
  bug('what is given back is taken for a prize, and leaves like one', {
    foundBy: 18,
    isLong: true,
    changes: { 'payouts.find-owed-to-players': [`and kind = 'prize'`, ''] },
  }),
  bug('what a payout takes up stays in the sums of what is owed, and what it gives back is missing there', {
    foundBy: 4,
    changes: {
      'payouts.take-up-payables': [
        'update payables',
        `with left_in as (insert into owed_changes (payee_id, class, sats, payables, first_id)
          select player_id, case kind when 'prize' then 'prize' else 'return' end, sats, 1, id
          from payables where id = any($2) and player_id is not null)
        update payables`,
      ],
      'payouts.cancel-payouts': [
        'with released',
        `with left_out as (insert into owed_changes (payee_id, class, sats, payables)
          select player_id, case kind when 'prize' then 'prize' else 'return' end, -sats, -1
          from payables where payout_id in (select id from payouts where batch_id = $1) and player_id is not null), released`,
      ],
    },
  }),
  bug('a job is gone when it is taken, not when it is done', {
    foundBy: 8,
    isLong: true,
    changes: {
      'jobs.lease': [/update jobs set .* where/, 'delete from jobs using due where $3::bigint > 0 and'],
      'jobs.lease-some': [/update jobs set .* where/, 'delete from jobs using due where $3::bigint > 0 and'],
      'jobs.lease-portion': [/update jobs set .* where/, 'delete from jobs using due where $3::bigint > 0 and'],
    },
  }),
  bug('a refresh token can be used twice', {
    foundBy: 4,
    sql: 'drop index refresh_tokens_live',
    changes: { 'accounts.use-refresh-token': ['and r.used_at is null', ''] },
  }),
  bug('a session that has ended can be refreshed', {
    foundBy: 2,
    changes: { 'accounts.use-refresh-token': ['and s.revoked_at is null', ''] },
  }),
  bug('a checkpoint of an account says a satoshi more than its postings', {
    foundBy: 1,
    changes: { 'ledger.insert-checkpoint': ['sum(p.amount_sats))::bigint', 'sum(p.amount_sats) + 1)::bigint'] },
  }),
  bug('a job that failed waits twice as long each time, and nothing wakes it', {
    foundBy: 3,
    changes: {
      'jobs.put-off': [
        'run_at = $3',
        `run_at = $3 + case when kind like 'messages.%' then 0 else greatest(least(2 ^ least($2, 20), 3600) - 60, 0)::bigint end`,
      ],
      'jobs.wake': ['last_error is not null', 'false'],
    },
  }),
  bug('coins of ours pay an order', {
    foundBy: 35,
    isLong: true,
    changes: {
      'treasury.find-payout-txs': [
        'select distinct txid from payout_txs where txid = any($1)',
        'select unnest($1::text[]) as txid',
      ],
    },
  }),
  bug('what the wallet spent is compared every hour only', {
    foundBy: 20,
    wrapWallet: comparedSeldom,
  }),
  bug('a worker pays by a limit that the newest one no longer has', {
    foundBy: 110,
    isLong: true,
    changes: { 'processes.list-live': ['order by number', 'and false order by number'] },
  }),
  bug('a play is appended twice', {
    foundBy: 2,
    changes: { 'draws.stream-new-plays': ['and p.leaf_index is null', ''] },
  }),
  bug('a draw is sealed twice for one round', {
    foundBy: 1,
    changes: {
      'jobs.remove': ['where id = $1', `where id = $1 and kind <> 'draws.close'`],
      'draws.lock': ['status,', `case status when 'closed' then 'open' else status end as status,`],
    },
  }),
  bug('a statement names another as the last that told the state of its game', {
    foundBy: 1,
    changes: {
      'draws.lock-game': [
        'state_hash from',
        `(select hash from log_leaves l where state_hash is not null and l.type = 'game' order by index limit 1) as state_hash from`,
      ],
    },
  }),
  bug('a play is appended after the close', {
    foundBy: 9,
    changes: {
      'draws.stream-new-plays': [
        'and p.leaf_index is null',
        `and p.leaf_index is null and (p.receipt_at <= (select closes_at - 60 from draws d where d.id = p.draw_id)
          or exists (select from draws d where d.id = p.draw_id and d.status = 'closed'))`,
      ],
      'draws.lock': [
        'status,',
        `case when status = 'closed' and exists (select from plays p where p.draw_id = draws.id and p.leaf_index is null)
          then 'open' else status end as status,`,
      ],
    },
  }),
  bug('a close counts the stakes of plays that are revoked', {
    foundBy: 3,
    // Overwrites the rate in the leaf: without it there is no stake to leave out.
    changes: { 'draws.find-taken-back': ['l.leaf,', `overlay(l.leaf placing '\\x00000000'::bytea from 50) as leaf,`] },
  }),
  bug('the receipt of a play that was moved takes the place of nothing', {
    foundBy: 5,
    changes: { 'payments.find-play': ['p.move_reason,', 'null::text as move_reason,'] },
  }),
  bug('a close counts without the cosignatures that it needs', {
    foundBy: 40,
    changes: {
      'fairness.find-text': ['select text', `select regexp_replace(text, '^witness .*$', E'quorum none\\n') as text`],
    },
  }),
  bug('a draw that was put off is sealed with another root', {
    foundBy: 163,
    changes: {
      'fairness.find-statement': [
        'at, text',
        `at, regexp_replace(text, '\\nroot [0-9a-f]{64}\\n', E'\\nroot ' || repeat('0', 64) || E'\\n') as text`,
      ],
    },
  }),
  {
    ...bug('a seed is used for two draws', {
      foundBy: 7,
      sql: 'alter table draws drop constraint draws_seed_hash_key',
    }),
    wrapRandom: repeating,
  },
  bug('free tickets that were won are in no state of their game', {
    foundBy: 3,
    changes: { 'draws.keep-state': ['free_won = $5', 'free_won = free_won + 0 * $5'] },
  }),
  bug('a promise asks for other satoshis than its order costs', {
    foundBy: 1,
    changes: { 'orders.find-promised': ['o.rate_sats,', 'o.rate_sats + 1 as rate_sats,'] },
  }),
  bug('orders of a game are taken while its sales are paused', {
    foundBy: 114,
    isLong: true,
    changes: { 'draws.list-sales': ['where coalesce(s.game_key, g.key) = g.key', 'where false'] },
  }),
  bug('a version of a game applies from another moment than its statement says', {
    foundBy: 11,
    changes: { 'draws.insert-version': ['values ($1, $2, $3,', 'values ($1, $2, $3 - 60,'] },
  }),
  bug('the draws of a game follow other rules than those that were announced', {
    foundBy: 8,
    changes: { 'draws.insert-version': ['$4', `jsonb_set($4, '{price_minor}', '150')`] },
  }),
  {
    ...bug('a payment over Lightning that is on its way counts as failed', { foundBy: 169, isLong: true }),
    wrapNode: seenAsFailed,
  },
  {
    ...bug('the error of a call that pays over Lightning is believed', { foundBy: 169, isLong: true }),
    wrapNode: believing,
  },
  bug('an invoice that the node does not know counts as dead before it is over', {
    foundBy: 123,
    isLong: true,
    changes: { 'payouts.find-open-attempt': [', expires_at,', ', coalesce(sent_at, expires_at) as expires_at,'] },
  }),
  { ...bug('the fee of a payment over Lightning is booked twice', { foundBy: 46 }), wrapNode: dear },
  bug('a payment over Lightning for an order counts as money of nobody too', {
    foundBy: 12,
    changes: {
      'lightning.find-refs': ['where i.provider', 'where false and i.provider'],
      'payments.find-order-paid-by': ['where outpoint = $1', 'where outpoint = $1 and false'],
    },
  }),
  bug('a request that two people signed stays open once it is done', {
    foundBy: 100,
    isLong: true,
    changes: { 'console.move-request': ['where id = $1', `where id = $1 and $2 <> 'done'`] },
  }),
  bug('goodwill owes a player more than the operator gave', {
    foundBy: 100,
    isLong: true,
    changes: { 'orders.insert-goodwill': ['values ($1, $2,', 'values ($1, $2 + 1,'] },
  }),
  bug('a draw that is settled in parts leaves its last one out', {
    foundBy: 3,
    changes: { 'draws.insert-parts': ['($2::bigint - 1) / $3::bigint)', '($2::bigint - 1) / $3::bigint - 1)'] },
  }),
  bug('a mail that is noted as sent takes those before it along', {
    foundBy: 3,
    changes: { 'messages.mark-mail-sent': ['mail_outbox.id = m.id', 'mail_outbox.id <= m.id'] },
  }),
  bug('each leaf of a draw is counted in two of its parts', {
    foundBy: 3,
    changes: {
      'draws.insert-parts': [
        /part \* \$3::bigint, least[^]*\/ \$3::bigint\)/u,
        `part / 2 * $3::bigint, least((part / 2 + 1) * $3::bigint, $2::bigint)
          from generate_series(0, ($2::bigint - 1) / $3::bigint * 2 + 1)`,
      ],
    },
  }),
  { ...bug('nobody holds the clocks against that of the database', { foundBy: 24 }), comparesClocks: false },
]

/** A bug that a crash exposes, and the points at which it does. */
interface CrashBug {
  readonly bug: PlantedBug
  readonly isIn: (point: CrashPoint) => boolean
}

/** For each operation, one bug that a crash at a certain call finds, and little else does. */
export const CRASH_BUGS: readonly CrashBug[] = [
  {
    bug: bugNamed('a request that comes again makes another order'),
    isIn: ({ operation, label, when }) => operation === 'purchase' && when === 'after' && label.startsWith('commit '),
  },
  cutBug('an order becomes paid before it has its plays', 'confirm', 'orders.insert-plays'),
  cutBug('a batch is logged before its draw knows it', 'append', 'draws.insert-batch'),
  cutBug('the statement of a close comes before the close', 'close', 'draws.close'),
  { bug: bugNamed('a job is gone when it is taken, not when it is done'), isIn: diesAt('draw', 'fetch') },
  cutBug('the prizes of a draw are booked before it is settled', 'settle', 'draws.settle'),
  cutBug('a payout is signed before its bytes are stored', 'payout', 'payouts.insert-tx'),
  {
    bug: bugNamed('a wallet that is asked to send a payout again makes a second one'),
    isIn: diesAt('payout', 'payouts.mark-sent'),
  },
  cutBug('a mail about a refund is stored before the job that sends it', 'refund', 'jobs.add'),
]

/**
 * A transaction is cut in two. The process crashes between the statement that begins the second part and the commit.
 */
function cutBug(name: string, operation: Operation, commitsBefore: string): CrashBug {
  const planted = { ...bug(name, { foundBy: 1 }), commitsBefore, statements: [commitsBefore] }
  return { bug: planted, isIn: diesAt(operation, commitsBefore, 'after') }
}

function diesAt(operation: Operation, label: string, when: CrashPoint['when'] = 'before') {
  return (point: CrashPoint): boolean => point.operation === operation && point.when === when && point.label === label
}

function bugNamed(name: string): PlantedBug {
  const found = PLANTED_BUGS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no bug named ${name}`)
  return found
}

interface Planting {
  readonly foundBy: number
  readonly isLong?: boolean
  readonly sql?: string
  /** by statement name: the text to replace, and its replacement */
  readonly changes?: Readonly<Record<string, readonly [string | RegExp, string]>>
  readonly wrapProvider?: PlantedBug['wrapProvider']
  readonly wrapWallet?: PlantedBug['wrapWallet']
}

function bug(name: string, planting: Planting): PlantedBug {
  const { foundBy, isLong = false, sql, changes = {}, wrapProvider, wrapWallet } = planting
  return {
    ...NOTHING_PLANTED,
    name,
    foundBy,
    isLong,
    statements: Object.keys(changes),
    ...(wrapProvider === undefined ? {} : { wrapProvider }),
    ...(wrapWallet === undefined ? {} : { wrapWallet }),
    rewrite: (statement) => {
      const change = changes[statement.name]
      return change === undefined ? statement : changed(statement, change)
    },
    ...(sql === undefined ? {} : { plant: async (observer) => void (await observer.query(sql)) }),
  }
}

/** @throws Error if the statement's text has changed: the bug would then prove nothing */
function changed(statement: Statement, [from, to]: readonly [string | RegExp, string]): Statement {
  // A function, so that `$1` stays literal.
  const text = statement.text.replace(from, () => to)
  if (text === statement.text) throw new Error(`${statement.name} no longer has the text that the bug replaces`)
  return { ...statement, text }
}

/** A provider whose answers are cached for ever: it keeps returning its first answer. */
function remembering(provider: PaymentProvider): PaymentProvider {
  const shown = new Map<string, Map<string, SeenOutput>>()
  return {
    ...provider,
    async get(ref): Promise<InvoiceSnapshot> {
      const outputs = shown.get(ref) ?? new Map<string, SeenOutput>()
      shown.set(ref, outputs)
      for (const output of (await provider.get(ref)).outputs) {
        const before = outputs.get(output.outpoint)
        outputs.set(
          output.outpoint,
          before !== undefined && before.confirmations > output.confirmations ? before : output,
        )
      }
      return { outputs: [...outputs.values()] }
    },
  }
}

/** Random bytes that are the same every time a draw is opened. */
function repeating(random: Runtime['random']): Runtime['random'] {
  const isForSeed = (): boolean => (new Error('who asks').stack ?? '').includes('openDraw')
  return { ...random, bytes: (count) => (isForSeed() ? new Uint8Array(count).fill(3) : random.bytes(count)) }
}

/** A wallet whose list of spends is up to an hour old. */
function comparedSeldom(wallet: Wallet, now: () => number): Wallet {
  let last: { readonly at: number; readonly spent: Awaited<ReturnType<Wallet['outgoing']>> } | null = null
  return {
    ...wallet,
    async outgoing(since) {
      if (last === null || now() >= last.at + 3600) last = { at: now(), spent: await wallet.outgoing(since) }
      return last.spent
    },
  }
}

/** A wallet that does not check whether it already sent: a second request is paid from other coins. */
function sendingAgain(wallet: Wallet): Wallet {
  const requests = new Map<string, PrepareRequest>()
  const sent = new Set<string>()
  return {
    ...wallet,
    async prepare(request) {
      const prepared = await wallet.prepare(request)
      requests.set(prepared.txid, request)
      return prepared
    },
    async broadcast(version, others) {
      const request = requests.get(version.txid)
      if (sent.has(version.txid) && request !== undefined) {
        const again = await wallet.prepare(request)
        await wallet.broadcast({ ...version, ...again }, [])
      }
      sent.add(version.txid)
      return await wallet.broadcast(version, others)
    },
  }
}

/** A node that takes what is on its way for failed. */
function seenAsFailed(node: LightningNode & LightningSender): LightningNode & LightningSender {
  return {
    ...node,
    async track(hash) {
      const word = await node.track(hash)
      return word.is === 'in-flight' ? { is: 'failed' } : word
    },
  }
}

/** A node whose refusal is final, whatever it shows of the payment. */
function believing(node: LightningNode & LightningSender): LightningNode & LightningSender {
  const refused = new Set<string>()
  return {
    ...node,
    async send(payment) {
      await node.send(payment).catch((error: unknown) => {
        if (error instanceof NodeRefused) refused.add(payment.hash)
        throw error
      })
    },
    track: async (hash) => (refused.has(hash) ? { is: 'failed' } : await node.track(hash)),
  }
}

/** A node that tells a fee as a part of what was sent, and once more. */
function dear(node: LightningNode & LightningSender): LightningNode & LightningSender {
  const feeMsat = 1_500n
  return {
    ...node,
    async track(hash) {
      const word = await node.track(hash)
      return word.is === 'complete' ? { ...word, sentMsat: word.sentMsat + feeMsat } : word
    },
  }
}
