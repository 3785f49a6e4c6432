// Writes the table of the configuration between its markers in README.md, from the program's own table.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_TABLE } from '../packages/server/src/config/variables.ts'

const path = join(import.meta.dirname, '..', 'README.md')
const START = '<!-- configuration -->'
const END = '<!-- /configuration -->'

const readme = readFileSync(path, 'utf8')
const start = readme.indexOf(START)
const end = readme.indexOf(END)
if (start < 0 || end < start) {
  process.stderr.write(`README.md needs the lines ${START} and ${END} where the table belongs.\n`)
  process.exit(1)
}
const rows = CONFIG_TABLE.map(({ name, default: byDefault, meaning }) => `| \`${name}\` | ${byDefault} | ${meaning} |`)
const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
writeFileSync(path, `${readme.slice(0, start + START.length)}\n${table}\n${readme.slice(end)}`)
