import type { LedgerAccountKind } from '../ledger/accounts.ts'
import { isWon, type Rule } from './rules.ts'

const OF_OPEN_DRAWS: readonly LedgerAccountKind[] = ['stakes_held', 'pot', 'reserve']
const POOLS: readonly LedgerAccountKind[] = ['prize_pool', 'donation_pool', 'fee_reserve']

const heldAsExpected = `select kind || ' ' || subject || ' should hold ' || coalesce(w.sats, 0) || ' sats and holds ' || coalesce(b.sats, 0) as what
    from expected w full join balances b using (kind, subject) where coalesce(w.sats, 0) <> coalesce(b.sats, 0)`

/** I6: every stake, pot and reserve is where the life of its draw has put it. */
const stakesAndPotsAddUp: Rule = {
  id: 'I6',
  cut: null,
  minute: true,
  text: ({ has, balances }) => `with balances as (${balances(OF_OPEN_DRAWS)}), expected as (
      select 'stakes_held' as kind, game_key as subject, sum(p.stake_sats) as sats
        from plays p join draws d on d.id = p.draw_id where d.status = 'open' and ${has('game', 'd.game_key')} group by game_key
      union all select 'pot', id::text, pot_sats from draws where status in ('closed', 'drawn') and ${has('draw', 'id')}
      union all select 'reserve', id::text, floor_sats + cover_sats - short_sats from draws
        where status in ('closed', 'drawn') and entries > 0 and ${has('draw', 'id')}
    )
    ${heldAsExpected}`,
}

/**
 * I6: the pools of a game hold what its draws have put there; nothing is made or lost on the way. What a draw's pot paid
 * is what was won: I5 compares it with the wins.
 */
const poolsAddUp: Rule = {
  id: 'I6',
  cut: null,
  minute: true,
  text: ({ has, balances }) => `with balances as (${balances(POOLS)}), mine as materialized (
      select id, game_key, status, stake_sats, pot_sats, rules_hash, closed_at from draws where ${has('game', 'game_key')}
    ), split as (
      select game_key, sum(stake_sats * parts[2]::int / 100) as donation, sum(stake_sats * parts[3]::int / 100) as fee,
        sum(stake_sats - stake_sats * parts[2]::int / 100 - stake_sats * parts[3]::int / 100) as prizes
      from mine d join (select hash, regexp_match(text, E'\\nsplit ([0-9]+) ([0-9]+) ([0-9]+)\\n') as parts from texts
        where hash in (select rules_hash from mine) offset 0) r on r.hash = d.rules_hash
      where closed_at is not null group by game_key
    ), won as (
      select d.game_key, -sum(p.amount_sats) as sats
      from mine d join ledger_accounts a on a.kind = 'pot' and a.subject = d.id::text join postings p on p.account_id = a.id
      join transfers t on t.id = p.transfer_id and t.event in ('draw.fixed-prizes', 'draw.jackpot') group by 1
    ), events as (
      select d.game_key, t.event, sum(p.amount_sats) as sats
      from mine d cross join unnest(array['draw.covered', 'draw.floored', 'draw.fee-released', 'draw.donated', 'draw.surplus']) e (event)
      join transfers t on t.key = e.event || ':' || d.id
      join postings p on p.transfer_id = t.id and p.amount_sats > 0 group by 1, 2
    ), event_sums as (
      select game_key, sum(sats) filter (where event in ('draw.covered', 'draw.floored', 'draw.surplus')) as reserve,
        sum(sats) filter (where event = 'draw.fee-released') as fee, sum(sats) filter (where event = 'draw.donated') as donated
      from events group by 1
    ), wanted as (
      select 'prize_pool' as kind, s.game_key as subject, s.prizes + coalesce(e.reserve, 0) - coalesce(w.sats, 0)
          - coalesce((select sum(pot_sats) from mine d where d.game_key = s.game_key and d.status in ('closed', 'drawn')), 0) as sats
        from split s left join event_sums e using (game_key) left join won w using (game_key)
      union all select 'donation_pool', s.game_key, s.donation - coalesce(e.donated, 0) from split s left join event_sums e using (game_key)
      union all select 'fee_reserve', s.game_key, s.fee - coalesce(e.fee, 0) from split s left join event_sums e using (game_key)
    ), inherited as (
      select a.kind, a.subject, sum(p.amount_sats) as sats
      from games g join transfers t on t.key = 'game.retired:' || g.key
      join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where a.kind <> 'partner' and ${has('game', 'a.subject')} group by 1, 2
    ), expected as (
      select kind, subject, sum(sats) as sats from (select * from wanted union all select * from inherited) x group by 1, 2
    )
    ${heldAsExpected}`,
}

/**
 * I10: the log has no gap, and a checkpoint for each statement; a draw has one close in force and one end, and its seed
 * is not published before.
 */
const logHasNoGap: Rule = {
  id: 'I10',
  cut: null,
  minute: true,
  text: ({ hasTime }) => `select 'statement ' || o.index || ' does not follow the one before' as what from log_leaves o
      where ${hasTime('o.at')} and (not exists (select from checkpoints c where c.size = o.index + 1)
        or (o.index <> 0 and not exists (select from log_leaves b where b.index = o.index - 1 and b.at <= o.at)))`,
}

const drawsEndOnce: Rule = {
  id: 'I10',
  cut: 'draw',
  minute: true,
  text: ({ has }) => `with ends as (
      select l.open_hash, count(*) filter (where type = 'close') as closes, count(*) filter (where type = 'result') as results,
        count(*) filter (where type = 'void') as voids, max(index) filter (where type = 'close') as last_close,
        count(*) filter (where type = 'postpone' and text like E'%\\nreason witness\\n%') as reseals
      from draws d join log_leaves l on l.open_hash = d.open_hash where ${has('draw', 'd.id')} group by l.open_hash
    )
    select 'draw ' || d.id || ' is ' || d.status || ' with ' || e.closes || ' closes, ' || e.results || ' results and ' || e.voids || ' voids' as what
      from draws d join ends e on e.open_hash = d.open_hash left join log_leaves c on c.index = e.last_close
      where e.results <> (d.status = 'settled')::int or e.voids <> (d.status = 'void')::int
        or (d.status = 'open' and e.closes > 0)
        or (d.status in ('closed', 'drawn', 'settled') and (e.closes <> 1 + e.reseals or c.hash is distinct from d.close_hash))`,
}

/** I13: a sealed draw's stake is that of its plays at its own price. */
const drawsAsSigned: Rule = {
  id: 'I13',
  cut: 'draw',
  minute: true,
  text: ({ has }) => `with signed as (
      select d.id, d.status, d.stake_sats, substring(r.text from E'\\nprice [A-Z]{3} ([0-9]+)\\n')::numeric as price_minor
      from draws d join texts r on r.hash = d.rules_hash where ${has('draw', 'd.id')}
    )
    select 'draw ' || s.id || ' was sealed with a stake of ' || s.stake_sats || ' sats, its plays stake '
        || coalesce(sum(ceil((p.line_count - p.free_count) * s.price_minor * p.rate_sats / 100)), 0) as what
      from signed s left join plays p on p.draw_id = s.id where s.status in ('closed', 'drawn', 'settled')
      group by s.id, s.stake_sats
      having s.stake_sats is distinct from coalesce(sum(ceil((p.line_count - p.free_count) * s.price_minor * p.rate_sats / 100)), 0)`,
}

/**
 * I15: the state of each game is what the statement that it names says, its draws are as far as it says, and its pot is
 * in the ledger's prize pool. Beyond the pot the pool holds only what was added since, which the next close states.
 */
const statesAsLedger: Rule = {
  id: 'I15',
  cut: null,
  minute: true,
  text: ({ has, balances }) => `with balances as (${balances(['prize_pool'])}), ended as (
      select game_key, count(*) filter (where status <> 'open') as closed, count(*) filter (where status in ('settled', 'void')) as settled
      from draws where ${has('game', 'game_key')} group by 1
    )
    select 'the state of ' || g.key || ' is ' || x.state || ', its newest statement says ' || coalesce(x.said, 'none') as what
      from games g left join log_leaves l on l.hash = g.state_hash cross join lateral (
        select concat_ws(' ', g.closed, g.settled, g.pot_sats, g.free_won, g.free_used, g.carried) as state,
          substring(l.text from E'\\nstate ([0-9 ]+)\\n$') as said) x
      where x.state <> coalesce(x.said, '0 0 0 0 0 0')
    union all select 'the state of ' || g.key || ' has ' || g.closed || ' draws closed and ' || g.settled || ' settled; draws say '
        || coalesce(e.closed, 0) || ' and ' || coalesce(e.settled, 0)
      from games g left join ended e on e.game_key = g.key
      where ${has('game', 'g.key')} and (g.closed <> coalesce(e.closed, 0) or g.settled <> coalesce(e.settled, 0))
    union all select 'the pot of ' || g.key || ' is ' || g.pot_sats || ' sats, its prize pool holds ' || coalesce(b.sats, 0)
      from games g left join balances b on b.subject = g.key where ${has('game', 'g.key')} and coalesce(b.sats, 0) < g.pot_sats
        and not exists (select from transfers t where t.key = 'game.retired:' || g.key)`,
}

/** I15: the free tickets that a game's state has won are its wins. They are counted over the game's whole life. */
const freeTicketsAsStated: Rule = {
  id: 'I15',
  cut: null,
  minute: false,
  text: () => `with won as (
      select d.game_key, count(*) as free from wins w join draws d on d.id = w.draw_id where w.win_type = 'FREE_TICKET' and ${isWon('w')} group by 1
    )
    select 'the state of ' || g.key || ' has ' || g.free_won || ' free tickets won; wins say ' || coalesce(w.free, 0) as what
      from games g left join won w on w.game_key = g.key where g.free_won <> coalesce(w.free, 0)`,
}

const potsAsClosed: Rule = {
  id: 'I15',
  cut: 'draw',
  minute: true,
  text: ({
    has,
  }) => `select 'the pot of draw ' || d.id || ' is ' || d.pot_sats || ' sats, its close says ' || coalesce(x.said, 'nothing') as what
      from draws d join log_leaves l on l.hash = d.close_hash cross join lateral (
        select substring(l.text from E'\\npool ([0-9]+)\\n') as said) x
      where ${has('draw', 'd.id')} and d.pot_sats::text is distinct from x.said`,
}

/**
 * I16: a draw is what was announced for its start: it has the version, rules, price and limits of the highest version
 * that applies to its schedule, and the statement of that version is older than the draw's own.
 */
const drawsAsAnnounced: Rule = {
  id: 'I16',
  cut: 'draw',
  minute: true,
  text: ({
    has,
  }) => `select 'draw ' || d.id || ' of ' || d.game_key || ' has version ' || d.version || ', announced for its start was '
        || coalesce(v.version::text, 'none') as what
    from draws d join texts r on r.hash = d.rules_hash join log_leaves o on o.hash = d.open_hash
    left join lateral (
      select v.version, v.rules_hash, l.index from game_versions v left join log_leaves l on l.hash = v.statement_hash
      where v.game_key = d.game_key and v.from_at <= d.scheduled_at and not v.kinds @> '{retire}' order by v.version desc limit 1
    ) v on true
    where ${has('draw', 'd.id')} and (
      d.version is distinct from v.version or d.rules_hash is distinct from v.rules_hash or v.index is null or v.index > o.index
      or r.text not like E'%\\nversion ' || d.version || E'\\npick ' || d.pick || E'\\npool ' || d.pool
        || E'\\nprice ' || d.currency || ' ' || d.price_minor || E'\\n%'
      or r.text not like E'%\\nfloor ' || d.guaranteed_minor || E'\\ncover ' || d.cover_minor || E'\\nlimit %'
      or r.text not like E'%\\nlimit % ' || d.most_entries || E'\\ncloses %')`,
}

/**
 * I17: a retired game leaves nothing behind: no unfinished draw, no sat in its pools or as a stake, no free ticket. What
 * left its pools is what came to the game or the partners that it retired into.
 */
const retiredLeaveNothing: Rule = {
  id: 'I17',
  cut: null,
  minute: true,
  text: ({ has, keys, balances }) => `with balances as (${balances(['stakes_held', ...POOLS])}),
    retired as (select key, retires_into from games where state = 'retired' and ${has('game', 'key')}),
    moved as (
      select split_part(t.key, ':', 2) as key, a.kind, a.subject, p.amount_sats as sats
      from transfers t join postings p on p.transfer_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.event = 'game.retired' and ${keys(['game.retired'], 'game')}
    )
    select 'draw ' || d.id || ' of ' || r.key || ', which is retired, is ' || d.status as what
      from retired r join draws d on d.game_key = r.key where d.status in ('open', 'closed', 'drawn')
    union all select b.kind || ' ' || b.subject || ' holds ' || b.sats || ' sats of a retired game' from retired r
      join balances b on b.subject = r.key where b.sats <> 0
    union all select 'player ' || f.player_id || ' has free tickets of ' || r.key || ', which is retired' from retired r
      join free_tickets f on f.game_key = r.key where f.won <> f.used + f.held + f.paid_out
    union all select 'the ' || m.kind || ' of ' || m.key || ' went to ' || m.subject || ', not into ' || coalesce(g.retires_into, 'a game')
      from moved m left join games g on g.key = m.key
      where m.sats > 0 and m.subject is distinct from g.retires_into and not (m.kind = 'partner' and g.retires_into = 'partners')
    union all select 'of each pool of ' || key || ' that went, another sum came: ' || kind from moved
      where kind <> 'partner' and not exists (select from games g where g.key = moved.key and g.retires_into = 'partners')
      group by key, kind having sum(sats) <> 0`,
}

/** The rules of draws, pools, games and the log. */
export const DRAW_RULES: readonly Rule[] = [
  stakesAndPotsAddUp,
  poolsAddUp,
  logHasNoGap,
  drawsEndOnce,
  drawsAsSigned,
  statesAsLedger,
  freeTicketsAsStated,
  potsAsClosed,
  drawsAsAnnounced,
  retiredLeaveNothing,
]
