// Words and phrases that Fairball does not use in texts of pages, mails and docs, with their replacements, and cells of
// tables that are too long to read. `npm run lint` finds them. The specification's own texts have none of them.
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Each phrase, and the remedy. */
const PHRASES = [
  [/\bby (it|them)sel(f|ves)\b/i, 'automatically'],
  [/\bso (long|often)\b/i, 'name the period or the count'],
  [/\bwhoever\b/i, 'name the person: the operator, the player, an attacker'],
  [/\bnobody['’]s\b/i, 'unattributed'],
  [/\be-mail/i, 'email'],
  [/\bgoes on\b/i, 'continues'],
  [/\banew\b/i, 'again, or "re-"'],
  [/\ball the same\b/i, 'still'],
]
/** Texts for readers: of pages, of mails, and docs. Decisions are history and stay as they are. */
const TEXTS =
  /^(packages\/web\/src\/.*messages\.ts|packages\/console\/src\/.*(?<!\.test)\.tsx?|packages\/server\/src\/modules\/(messages\/.*stories|messages\/news|identity\/(mails|account-mail))\.ts|docs\/[\w-]+\.md|(README|CONTRIBUTING)\.md)$/

/** Maximum length of a table's cell, in characters: evidence goes below the table. */
const MAX_CELL = 200

/** Each use of such a phrase in a text, and each cell that is too long for a table, with the remedy. */
export function foundIn(file, text) {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...PHRASES.filter(([phrase]) => phrase.test(line)).map(
        ([phrase, remedy]) => `${file}:${index + 1} says "${phrase.exec(line)?.[0]}": write ${remedy}.`,
      ),
      ...longCellsIn(line).map(
        (cell) =>
          `${file}:${index + 1} has a cell of ${cell.length} characters: keep ${MAX_CELL}, the rest goes below.`,
      ),
    ])
}

function longCellsIn(line) {
  const cells = line.startsWith('| ') ? line.split(/(?:^|\s)\|(?:\s|$)/).map((cell) => cell.trim()) : []
  return cells.filter((cell) => cell.length > MAX_CELL)
}

/** Every text of the repository to check. */
export function textsOf(root) {
  const folders = ['packages/web/src', 'packages/console/src', 'packages/server/src', 'docs']
  const inside = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  return [...inside, 'README.md', 'CONTRIBUTING.md'].filter((file) => TEXTS.test(file))
}

if (process.argv[1] === import.meta.filename) {
  const found = textsOf(ROOT).flatMap((file) => foundIn(file, readFileSync(join(ROOT, file), 'utf8')))
  for (const one of found) process.stdout.write(`${one}\n`)
  if (found.length > 0) process.exitCode = 1
}
