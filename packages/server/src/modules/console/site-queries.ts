import { sql, t } from '../../db/sql.ts'

/** The site's name at a time. */
export const findSiteName = sql({
  name: 'console.find-site-name',
  text: `select value from console_settings where key = 'site.name' and from_at <= $1 order by version desc limit 1`,
  params: [t.epochSeconds],
  row: { value: t.json<unknown>() },
})

/** The newest rate of a currency that is not of the future. */
export const findNewestRate = sql({
  name: 'console.find-newest-rate',
  text: `select at, sats_per_unit from console_rates where currency = $1 and at <= $2 order by at desc limit 1`,
  params: [t.text, t.epochSeconds],
  row: { at: t.epochSeconds, satsPerUnit: t.bigint },
})
