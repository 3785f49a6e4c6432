import { sql, t } from '../../../db/sql.ts'

/** The newest version of each game. */
export const listGameVersions = sql({
  name: 'console.list-game-versions',
  text: `select game_key, max(version) as version from console_game_versions group by game_key order by game_key`,
  row: { gameKey: t.text, version: t.int },
})

/** The newest version of a setting, whether or not it is in force; 0 for none. */
export const findSettingVersion = sql({
  name: 'console.find-setting-version',
  text: `select coalesce(max(version), 0) as version from console_settings where key = $1`,
  params: [t.text],
  row: { version: t.int },
})
