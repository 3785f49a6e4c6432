import { array, nullable, sql, t } from '../../db/sql.ts'

/** The currencies that a game is played in. */
const PLAYED_CURRENCIES = `(select distinct v.rules->>'currency' from game_versions v
    join games g on g.key = v.game_key where g.state <> 'retired')`

/**
 * Rates read twice in a second stay as they were read first. One that no two sources quote ($4 is false) is a view: it
 * is not stored in a currency that a game is played in, because sales and draws need a rate that sources agree on.
 */
export const insertRates = sql({
  name: 'payments.insert-rates',
  text: `insert into rates (at, currency, sats_per_unit) select $1, r.currency, r.sats_per_unit
    from unnest($2::text[], $3::bigint[], $4::boolean[]) as r (currency, sats_per_unit, is_quoted)
    where r.is_quoted or r.currency not in ${PLAYED_CURRENCIES}
    on conflict (currency, at) do nothing`,
  params: [t.epochSeconds, array(t.text), array(t.bigint), array(t.bool)],
})

/** The sources' quotes when rates were stored. Those of the same currencies from before `keptFrom` are dropped. */
export const insertQuotes = sql({
  name: 'payments.insert-quotes',
  text: `with dropped as (delete from currency_quotes where currency = any($currencies) and at < $keptFrom)
    insert into currency_quotes (at, source, currency, sats_per_unit) select $at, q.source, q.currency, q.sats_per_unit
    from unnest($sources::text[], $currencies::text[], $satsPerUnit::bigint[]) as q (source, currency, sats_per_unit)
    on conflict do nothing`,
  params: {
    at: t.epochSeconds,
    keptFrom: t.epochSeconds,
    sources: array(t.text),
    currencies: array(t.text),
    satsPerUnit: array(t.bigint),
  },
})

/** The quotes of a currency that were stored last. */
export const findQuotes = sql({
  name: 'payments.find-quotes',
  text: `select source, sats_per_unit, at from currency_quotes where currency = $2
    and at = (select max(at) from currency_quotes where currency = $2 and at <= $1) order by source`,
  params: [t.epochSeconds, t.text],
  row: { source: t.text, satsPerUnit: t.bigint, at: t.epochSeconds },
})

/** The rates of the newest reading at a moment that at least $2 sources quote. */
export const findQuotedRates = sql({
  name: 'payments.find-quoted-rates',
  text: `select currency, r.sats_per_unit from rates r join (
      select currency, at from currency_quotes where at = (select max(at) from currency_quotes where at <= $1)
      group by currency, at having count(*) >= $2::int
    ) q using (currency, at)`,
  params: [t.epochSeconds, t.int],
  row: { currency: t.text, satsPerUnit: t.bigint },
})

/** When the newest rate of each currency that a game is played in was read; null before the first. */
export const findPlayedRates = sql({
  name: 'payments.find-played-rates',
  text: `select c.currency, (select max(r.at) from rates r where r.currency = c.currency and r.at <= $1) as at
    from ${PLAYED_CURRENCIES} as c (currency) order by c.currency`,
  params: [t.epochSeconds],
  row: { currency: t.text, at: nullable(t.epochSeconds) },
})

/** Readings of live rates are judged one after the other. */
export const lockRates = sql({
  name: 'payments.lock-rates',
  text: `select pg_advisory_xact_lock(hashtextextended('fairball.rates', 0))::text as locked`,
  row: { locked: t.text },
})

/** Rates that jumped and that no second reading has confirmed. */
export const lockDoubts = sql({
  name: 'payments.lock-doubts',
  text: `select currency, at, sats_per_unit from rate_doubts for update`,
  row: { currency: t.text, at: t.epochSeconds, satsPerUnit: t.bigint },
})

export const findDoubt = sql({
  name: 'payments.find-doubt',
  text: `select at from rate_doubts where currency = $1`,
  params: [t.text],
  row: { at: t.epochSeconds },
})

export const insertDoubts = sql({
  name: 'payments.insert-doubts',
  text: `insert into rate_doubts (at, currency, sats_per_unit) select $1, r.currency, r.sats_per_unit
    from unnest($2::text[], $3::bigint[]) as r (currency, sats_per_unit)
    on conflict (currency) do update set at = excluded.at, sats_per_unit = excluded.sats_per_unit`,
  params: [t.epochSeconds, array(t.text), array(t.bigint)],
})

export const deleteDoubts = sql({
  name: 'payments.delete-doubts',
  text: `delete from rate_doubts where currency = any($1)`,
  params: [array(t.text)],
})

/** The newest rate of one currency at a moment. */
export const findRate = sql({
  name: 'payments.find-rate',
  text: `select at, sats_per_unit from rates where currency = $1 and at <= $2 order by at desc limit 1`,
  params: [t.text, t.epochSeconds],
  row: { at: t.epochSeconds, satsPerUnit: t.bigint },
  serves: 'same',
})

/** The newest rate of each of the currencies $2 at each of the moments $1. */
export const findRatesAt = sql({
  name: 'payments.find-rates-at',
  text: `select m.at as asked_at, c.currency, r.at, r.sats_per_unit
    from unnest($1::bigint[]) as m (at) cross join unnest($2::text[]) as c (currency)
    cross join lateral (
      select at, sats_per_unit from rates where rates.currency = c.currency and rates.at <= m.at
      order by rates.at desc limit 1
    ) r`,
  serves: 'same',
  params: [array(t.epochSeconds), array(t.text)],
  row: { askedAt: t.epochSeconds, currency: t.text, at: t.epochSeconds, satsPerUnit: t.bigint },
})
