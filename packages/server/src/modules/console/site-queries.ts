import { sql, t } from '../../db/sql.ts'

/** The site's name at a time. */
export const findSiteName = sql({
  name: 'console.find-site-name',
  text: `select value from console_settings where key = 'site.name' and from_at <= $1 order by version desc limit 1`,
  params: [t.epochSeconds],
  row: { value: t.json<unknown>() },
})
