// Writes the lists of the configuration and of the operator's commands between their markers in docs/, from the
// program's own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_LIST } from '../packages/server/src/config/variables.ts'
import { COMMAND_LIST } from '../packages/server/src/main/operator-commands.ts'

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` of a document by a list. */
function writeList(document, name, items) {
  const path = join(import.meta.dirname, '..', document)
  const text = readFileSync(path, 'utf8')
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const start = text.indexOf(from)
  const end = text.indexOf(to)
  if (start < 0 || end < start) {
    process.stderr.write(`${document} needs the lines ${from} and ${to} where the list belongs.\n`)
    process.exit(1)
  }
  writeFileSync(path, `${text.slice(0, start + from.length)}\n\n${items.join('\n')}\n\n${text.slice(end)}`)
}

writeList('docs/configuration.md', 'configuration', CONFIG_LIST)
writeList('docs/operations.md', 'commands', COMMAND_LIST)
