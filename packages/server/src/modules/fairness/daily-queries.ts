import { array, nullable, sql, t } from '../../db/sql.ts'

/** Whether any statement of a type is dated $2 or later. */
export const isStatedSince = sql({
  name: 'fairness.is-stated-since',
  text: `select exists (select from log_leaves where type = $1 and at >= $2) as is_stated`,
  params: [t.text, t.epochSeconds],
  row: { isStated: t.bool },
})

/** The newest statement of a type. */
export const findNewestOf = sql({
  name: 'fairness.find-newest-of',
  text: `select hash, text from log_leaves where type = $1 order by index desc limit 1`,
  params: [t.text],
  row: { hash: t.text, text: t.text },
})

/**
 * Prizes that arrived for good and are not leaves yet: over Lightning, or in a transaction that is six blocks deep, which
 * no other can replace. One of txid and hash is null.
 */
export const listArrived = sql({
  name: 'fairness.list-arrived',
  text: `select p.id, p.sats, d.open_hash, y.leaf_index, o.secret, x.txid, a.payment_hash as hash, out.address
    from payables p join payouts out on out.id = p.payout_id and out.cancelled_at is null
    left join payout_batches b on b.id = out.batch_id and b.state = 'FINAL'
    left join payout_txs x on x.batch_id = b.id and x.version = b.version and x.kind = 'pay'
    left join ln_attempts a on a.payout_id = out.id and a.outcome = 'complete'
    join plays y on y.id = p.play_id join orders o on o.id = y.order_id join draws d on d.id = p.draw_id
    where p.kind = 'prize' and coalesce(x.txid, a.payment_hash) is not null
      and not exists (select from paid_leaves l where l.payment = p.id::text)
    order by p.id`,
  row: {
    id: t.bigint,
    sats: t.bigint,
    openHash: t.text,
    leafIndex: t.whole,
    secret: t.bytea,
    txid: nullable(t.text),
    hash: nullable(t.text),
    address: t.text,
  },
})

export const findTransactions = sql({
  name: 'fairness.find-transactions',
  text: `select txid, raw from payout_txs where txid = any($1)`,
  params: [array(t.text)],
  row: { txid: t.text, raw: t.text },
})

export const countPaidLeaves = sql({
  name: 'fairness.count-paid-leaves',
  text: `select count(*) as size from paid_leaves`,
  row: { size: t.whole },
})

/** Inserts leaves from an index on. @throws PostgreSQL's unique violation if a payment already has a leaf */
export const insertPaidLeaves = sql({
  name: 'fairness.insert-paid-leaves',
  text: `insert into paid_leaves (index, payment, leaf, open_hash, play_index, sats)
    select $size + w.place - 1, w.payment, w.leaf, w.open_hash, w.play_index, w.sats
    from unnest($payments::text[], $leaves::bytea[], $openHashes::text[], $playIndexes::bigint[], $sats::bigint[])
      with ordinality as w (payment, leaf, open_hash, play_index, sats, place)`,
  params: {
    size: t.whole,
    payments: array(t.text),
    leaves: array(t.bytea),
    openHashes: array(t.text),
    playIndexes: array(t.whole),
    sats: array(t.bigint),
  },
})

/**
 * Up to $1 draws with a result, and what was paid of each. Draws whose figures are in no statement come first, then the
 * newest.
 */
export const listPaidDraws = sql({
  name: 'fairness.list-paid-draws',
  text: `select d.open_hash, r.text as result, s.paid as paid_sats, said.paid_sats is distinct from s.paid as is_news
    from draws d join log_leaves r on r.hash = d.result_hash
    left join lateral (
      select paid_sats from paid_draws where open_hash = d.open_hash order by index desc limit 1
    ) said on true
    cross join lateral (select coalesce(sum(sats), 0)::bigint as paid from paid_leaves where open_hash = d.open_hash) s
    order by is_news desc, r.index desc limit $1`,
  params: [t.bigint],
  row: { openHash: t.text, result: t.text, paidSats: t.bigint, isNews: t.bool },
})

export const insertPaidDraws = sql({
  name: 'fairness.insert-paid-draws',
  text: `insert into paid_draws (index, open_hash, won_sats, paid_sats)
    select $1, * from unnest($2::text[], $3::bigint[], $4::bigint[])`,
  params: [t.epochSeconds, array(t.text), array(t.bigint), array(t.bigint)],
})

/** The leaves of a player's prizes, below the head in the newest statement. */
export const listPaidTo = sql({
  name: 'fairness.list-paid-to',
  text: `select l.index, l.leaf, l.open_hash, l.play_index, l.sats from paid_leaves l
    where l.payment in (select id::text from payables where player_id = $1 and kind = 'prize') order by l.index`,
  params: [t.bigint],
  row: { index: t.whole, leaf: t.bytea, openHash: t.text, playIndex: t.whole, sats: t.bigint },
})

const balance = `(coalesce((select balance_sats from ledger_checkpoints where account_id = a.id order by upto_posting_id desc limit 1), 0)
  + coalesce((select sum(p.amount_sats) from postings p where p.account_id = a.id and p.id > coalesce(
      (select max(upto_posting_id) from ledger_checkpoints where account_id = a.id), 0)), 0))::bigint`

/**
 * What is owed at one moment: a row with a name for each player, and one for each other kind of account. Money in
 * flight is owed to its recipient. The pots come from the states of the games.
 */
export const listOwed = sql({
  name: 'fairness.list-owed',
  text: `with accounts as materialized (select a.kind, a.subject, ${balance} as sats from ledger_accounts a),
    flying as materialized (select player_id, sum(sats)::bigint as sats from payouts
      where sent_at is null and cancelled_at is null group by player_id)
    select o.player_id, y.username as name, sum(o.sats)::bigint as sats from (
        select subject::bigint as player_id, sats from accounts where kind = 'winnings'
        union all select player_id, sats from flying where player_id is not null
      ) o join players y on y.id = o.player_id
      group by o.player_id, y.username having sum(o.sats) > 0
    union all select null, kind, sum(sats)::bigint from accounts
      where kind not in ('winnings', 'in_flight', 'prize_pool') group by kind
    union all select null, 'in_flight', sats from flying where player_id is null
    union all select null, 'prize_pool', coalesce(sum(pot_sats), 0)::bigint from games
    order by player_id, name`,
  row: { playerId: nullable(t.bigint), name: t.text, sats: t.bigint },
})

export const insertSolvencyLeaves = sql({
  name: 'fairness.insert-solvency-leaves',
  text: `insert into solvency_leaves (hash, index, player_id, nonce, sats, username)
    select $hash, w.place - 1, w.player_id, w.nonce, w.sats, w.username
    from unnest($players::bigint[], $nonces::bytea[], $sats::bigint[], $usernames::text[])
      with ordinality as w (player_id, nonce, sats, username, place)`,
  params: {
    hash: t.text,
    players: array(t.bigint),
    nonces: array(t.bytea),
    sats: array(t.bigint),
    usernames: array(t.text),
  },
})

/** Each account sees its leaf in the newest statement; leaves of earlier statements are no longer needed. */
export const dropSolvencyLeaves = sql({
  name: 'fairness.drop-solvency-leaves',
  text: `delete from solvency_leaves where hash <> $1`,
  params: [t.text],
})

/** The accounts of the newest statement, in order, if the player is among them. */
export const listSolvencyLeaves = sql({
  name: 'fairness.list-solvency-leaves',
  text: `select hash, index, player_id, nonce, sats, username from solvency_leaves
    where hash = (select hash from solvency_leaves where player_id = $1) order by index`,
  params: [t.bigint],
  row: { hash: t.text, index: t.int, playerId: t.bigint, nonce: t.bytea, sats: t.bigint, username: t.text },
})
