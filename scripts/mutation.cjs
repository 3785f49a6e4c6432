// npm run mutation: changes the code of prizes, fairness and ledger in one place at a time, and reports how many of the
// changes the tests notice.
//   node scripts/mutation.cjs [--only prizes|fairness|ledger] [--files file,file] [--workers N]
// It prints a table in markdown, lists unnoticed changes in .cache/mutation/<part>.txt, and ends with status 1 if fewer
// than 94% were noticed.
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, fail, prepare, provideFolder } = require('./bootstrap.cjs')

const FOLDER = path.join(ROOT, 'trials/mutation')
const REPORTS = path.join(ROOT, '.cache', 'mutation')
const STRYKER = path.join(FOLDER, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
/** Stryker's reason for a mutant that only runs while a file is loaded, not in a test. */
const BEFORE_TESTS = /^Static mutant/
/** The columns of the table, by the status of a mutant. A status without a column does not count. */
const COLUMNS = { Killed: 'killed', Timeout: 'timeouts', Survived: 'survived', NoCoverage: 'no coverage' }

async function main() {
  const node = prepare()
  if (!provideFolder(FOLDER)) fail('Stryker cannot be installed; npm says why above.')
  const { LEAST_SCORE, PARTS } = await import('../trials/mutation/parts.mjs')
  const args = process.argv.slice(2)
  const only = option(args, '--only')
  const names = only === null ? Object.keys(PARTS) : only.split(',')
  const unknown = names.filter((name) => !(name in PARTS))
  if (unknown.length > 0)
    fail('There is no part ' + unknown.join(', ') + '. There are ' + Object.keys(PARTS).join(', '))

  const files = option(args, '--files')
  const rows = []
  for (const name of names) {
    const startedMs = Date.now()
    tryTests(node, name)
    const mutants = mutate(node, name, files, option(args, '--workers') || '2')
    fs.writeFileSync(path.join(REPORTS, name + '.txt'), unnoticed(mutants))
    const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1)
    rows.push(...rowsOf(name, mutants), Object.assign(counted(mutants), { name: '**' + name + '**', minutes }))
  }
  // The limit applies to parts; a single file may be lower.
  const isGood = rows.every((row) => row.minutes === undefined || row.score >= LEAST_SCORE)
  process.stdout.write('\n' + table(rows) + '\n')
  if (!isGood)
    process.stdout.write(
      '\nA part is below ' + LEAST_SCORE + '%: .cache/mutation/<part>.txt lists the unnoticed changes.\n',
    )
  process.exitCode = isGood ? 0 : 1
}

/**
 * Runs the tests of a part without mutants: they must pass, and cache the answers of the curves' libraries
 * (trials/mutation/kept.ts).
 */
function tryTests(node, name) {
  fs.mkdirSync(REPORTS, { recursive: true })
  fs.rmSync(answersOf(name), { force: true })
  fs.rmSync(path.join(REPORTS, name), { recursive: true, force: true }) // leftovers of an interrupted run
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const extra = { MUTATION_PART: name, MUTATION_KEPT: answersOf(name), MUTATION_KEEP: '1' }
  const { status } = spawnSync(
    node,
    [vitest, 'run', '--config', path.join('trials/mutation', 'vitest.config.ts'), '--reporter=dot'],
    {
      cwd: ROOT,
      env: environment(node, extra),
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (status !== 0) fail('The tests of ' + name + ' fail without mutants; the messages above say why.')
}

function answersOf(name) {
  return path.join(REPORTS, name + '.answers')
}

/**
 * Every mutant of a part with its status; those that only run while a file is loaded are tried separately, with all
 * tests.
 */
function mutate(node, name, files, workers) {
  const extra = { MUTATION_PART: name, MUTATION_WORKERS: workers, MUTATION_KEPT: answersOf(name) }
  if (files !== null) extra.MUTATION_FILES = files
  const mutants = stryker(node, name, extra)
  const loading = mutants.filter((mutant) => BEFORE_TESTS.test(mutant.statusReason))
  if (loading.length === 0) return mutants
  const places = loading.map(({ file, location: { start, end } }) =>
    [file, start.line, start.column - 1 + '-' + end.line, end.column - 1].join(':'),
  )
  const alone = stryker(node, name, Object.assign(extra, { MUTATION_FILES: places.join(','), MUTATION_LOADING: '1' }))
  const found = new Map(alone.map((mutant) => [identity(mutant), mutant]))
  return mutants.map((mutant) => (BEFORE_TESTS.test(mutant.statusReason) && found.get(identity(mutant))) || mutant)
}

function identity({ file, location, mutatorName, replacement }) {
  return JSON.stringify([file, location, mutatorName, replacement])
}

function stryker(node, name, extra) {
  const report = path.join(REPORTS, name + '.json')
  fs.rmSync(report, { force: true })
  const { status } = spawnSync(node, [STRYKER, 'run', path.join('trials/mutation', 'stryker.config.mjs')], {
    cwd: ROOT,
    env: environment(node, Object.assign({ NO_COLOR: '1' }, extra)),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0 || !fs.existsSync(report)) fail('Stryker did not get through ' + name + '; it says why above.')
  const { files } = JSON.parse(fs.readFileSync(report, 'utf8'))
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => Object.assign(mutant, { file, line: source.split('\n')[mutant.location.start.line - 1] })),
  )
}

function rowsOf(part, mutants) {
  const files = [...new Set(mutants.map(({ file }) => file))]
  return files.map((file) =>
    Object.assign(counted(mutants.filter((mutant) => mutant.file === file)), {
      name: part + ': ' + path.basename(file),
    }),
  )
}

function counted(mutants) {
  const row = { mutants: 0, 'left out': 0 }
  for (const column of Object.values(COLUMNS)) row[column] = 0
  for (const { status } of mutants) {
    row[COLUMNS[status] || 'left out'] += 1
    if (COLUMNS[status]) row.mutants += 1
  }
  row.score = row.mutants === 0 ? 100 : (100 * (row.killed + row.timeouts)) / row.mutants
  return row
}

/** The unnoticed mutants, one line each: the place, the code, and its replacement. */
function unnoticed(mutants) {
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ file, location: { start }, line, replacement, status }) => {
      const place = path.basename(file) + ':' + start.line + ':' + start.column
      const became = replacement.replace(/\s+/g, ' ')
      return (
        place + (status === 'NoCoverage' ? ' (reached by no test)' : '') + '  ' + line.trim() + '  =>  ' + became + '\n'
      )
    })
    .join('')
}

function table(rows) {
  const columns = ['mutants', ...Object.values(COLUMNS), 'left out']
  const head = ['part: file', ...columns, 'score', 'minutes']
  const cells = rows.map((row) => [
    row.name,
    ...columns.map((column) => String(row[column])),
    row.score.toFixed(1) + '%',
    row.minutes || '',
  ])
  return [head, head.map(() => '---'), ...cells].map((row) => '| ' + row.join(' | ') + ' |').join('\n')
}

function option(args, name) {
  const place = args.indexOf(name)
  if (place < 0) return null
  if (args[place + 1] === undefined) fail(name + ' needs a value.')
  return args[place + 1]
}

module.exports = { counted, table, unnoticed }

if (require.main === module) void main()
