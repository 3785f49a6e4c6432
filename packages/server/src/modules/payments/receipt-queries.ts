import { nullable, sql, t } from '../../db/sql.ts'

/**
 * A play with what its receipt says: its leaf, the first batch that has it, and the newest receipt of the play so far.
 */
export const findPlay = sql({
  name: 'payments.find-play',
  text: `select p.order_id, p.place, p.draw_id, p.play_id, p.move_reason, p.leaf_index, o.secret, o.username, d.open_hash, l.leaf,
      b.size as batch_size, b.hash as batch_hash,
      exists (select from receipts r where r.order_id = p.order_id and r.place = p.place and r.draw_id = p.draw_id) as has_receipt,
      (select r.hash from receipts r where r.order_id = p.order_id and r.place = p.place order by r.made_at desc, r.draw_id desc limit 1) as last_receipt
    from plays p join orders o on o.id = p.order_id join draws d on d.id = p.draw_id
    left join play_leaves l on l.draw_id = p.draw_id and l.index = p.leaf_index
    left join lateral (
      select size, hash from sold_batches where draw_id = p.draw_id and size > p.leaf_index order by size limit 1
    ) b on true
    where p.id = $1 and p.player_id = $2`,
  params: [t.uuid, t.bigint],
  row: {
    orderId: t.uuid,
    place: t.int,
    drawId: t.bigint,
    playId: t.bytea,
    moveReason: nullable(t.oneOf(['late', 'void', 'reorg'])),
    leafIndex: nullable(t.whole),
    secret: t.bytea,
    username: t.text,
    openHash: t.text,
    leaf: nullable(t.bytea),
    batchSize: nullable(t.whole),
    batchHash: nullable(t.text),
    hasReceipt: t.bool,
    lastReceipt: nullable(t.text),
  },
})

export const listPlays = sql({
  name: 'payments.list-plays',
  text: `select id from plays where player_id = $1 order by draw_id, id`,
  params: [t.bigint],
  row: { id: t.uuid },
})

/** If two ask at the same time, the first receipt stays. */
export const insertReceipt = sql({
  name: 'payments.insert-receipt',
  text: `insert into receipts (order_id, place, draw_id, made_at, size, index, hash, note)
    values ($order, $place, $drawId, $now, $size, $index, $hash, $note) on conflict do nothing`,
  params: {
    order: t.uuid,
    place: t.int,
    drawId: t.bigint,
    now: t.epochSeconds,
    size: t.whole,
    index: t.whole,
    hash: t.text,
    note: t.text,
  },
})

/** The receipts of a play, oldest first. */
export const findReceipts = sql({
  name: 'payments.find-receipts',
  text: `select r.note, r.size, r.index, d.open_hash from receipts r join draws d on d.id = r.draw_id
    where r.order_id = $1 and r.place = $2 order by r.made_at, r.draw_id`,
  params: [t.uuid, t.int],
  row: { note: t.text, size: t.whole, index: t.whole, openHash: t.text },
})
