import { sql, t } from '../../db/sql.ts'

export const addWaitingNotice = sql({
  name: 'accounts.add-waiting-notice',
  text: `insert into waiting_notices as waiting (player_id, first_at, last_at, is_former, to_address, fact)
    values ($playerId, $at, $at, $isFormer, $to, $fact)
    on conflict (player_id, to_address, fact) do update set last_at = $at, count = waiting.count + 1`,
  params: { playerId: t.bigint, at: t.epochSeconds, isFormer: t.bool, to: t.text, fact: t.text },
})

export const takeWaitingNotices = sql({
  name: 'accounts.take-waiting-notices',
  text: `delete from waiting_notices w using players p where w.player_id = $1 and p.id = w.player_id
    returning p.username, p.timezone_id, w.first_at, w.last_at, w.count, w.is_former, w.to_address, w.fact`,
  params: [t.bigint],
  row: {
    username: t.text,
    timezoneId: t.int,
    firstAt: t.epochSeconds,
    lastAt: t.epochSeconds,
    count: t.int,
    isFormer: t.bool,
    toAddress: t.text,
    fact: t.text,
  },
})
