// npm run trials: the long versions of the trials that `npm test` runs briefly. Each trial ends with a line about its
// coverage, and its last run is recorded with its commit. Names select trials; --list shows the last runs.
'use strict'

const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')

const KEPT = path.join(ROOT, '.cache', 'trials.json')
/**
 * Each trial: its coverage, and the script of package.json with its arguments and environment, or the program in `trials`
 * that has no script.
 */
const TRIALS = {
  seeds: { covers: '400 seeds of the simulation', run: ['sim', '--seeds', '400'] },
  bugs: { covers: 'every planted bug, found within 350 seeds', run: ['sim', '--bugs', '--seeds', '350'] },
  cases: {
    covers: 'all cases of the long tests of the server, deaths at every call among them',
    run: ['test', 'api'],
    env: { FULL_LENGTH: '1' },
  },
  bitcoin: {
    covers:
      'twenty draws on a real bitcoin node, with three ends of a process in each, and payouts killed in twenty rounds',
    run: ['test', 'bitcoin'],
    env: { FULL_LENGTH: '1' },
  },
  lightning: {
    covers: 'the nodes of Core Lightning killed sixty times around a payment',
    run: ['test', 'lightning'],
    env: { FULL_LENGTH: '1' },
  },
  journeys: {
    covers: 'every journey in the browser, with all variants of each capability',
    run: ['test', 'e2e'],
    env: { FULL_LENGTH: '1' },
  },
  verifiers: {
    covers: '20,000 changed bundles, judged by both verifiers, and 100,000 changed notes',
    run: ['test', 'unit'],
    env: { FAIRNESS_MUTANTS: '20000', FAIRNESS_NOTES: '100000' },
  },
  deaths: { covers: 'deaths at every call of one seed', run: ['sim', '--crashes', '--seeds', '1'] },
  hostile: { covers: '1,000 hostile requests to every endpoint', run: ['hostile'] },
  scan: { covers: 'wapiti and sqlmap, quick', run: ['scan', '--quick'] },
  mutation: { covers: 'mutants of ledger, prizes and fairness', run: ['mutation'] },
  image: {
    covers: 'the image, built and run by its user: a ticket before a restart and one after',
    program: 'image.ts',
  },
  'run-page': {
    covers: 'docs/run.md, carried out on a bare Debian with systemd, and every unit',
    program: 'run-page.ts',
  },
  faults: { covers: 'real processes killed, doubled and without their disk', run: ['faults'] },
  upgrade: { covers: 'a lottery that the previous release filled', run: ['upgrade-test'] },
}

const names = process.argv.slice(2)
const kept = readKept()
if (names.includes('--list')) {
  for (const [name, { covers }] of Object.entries(TRIALS))
    process.stdout.write(`${name.padEnd(10)}${covers}. ${lastOf(name)}\n`)
  process.exit(0)
}
const unknown = names.filter((name) => !Object.hasOwn(TRIALS, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no trial ${unknown.join(', ')}. The trials are: ${Object.keys(TRIALS).join(', ')}.\n`)
  process.exit(2)
}
for (const name of names.length > 0 ? names : Object.keys(TRIALS)) {
  process.stdout.write(`\n── ${name}: ${TRIALS[name].covers}\n`)
  const { status } = start(TRIALS[name])
  kept[name] = { commit: commit(), day: new Date().toISOString().slice(0, 10), passed: status === 0 }
  fs.mkdirSync(path.dirname(KEPT), { recursive: true })
  fs.writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`)
  if (status !== 0) process.exitCode = 1
}
process.stdout.write('\n')
for (const name of Object.keys(TRIALS)) process.stdout.write(`${name.padEnd(10)}${lastOf(name)}\n`)

function start({ run: [script, ...args] = [], env, program }) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }
  if (program === undefined)
    return spawnSync(process.execPath, [path.join(ROOT, 'scripts', `${script}.cjs`), ...args], options)
  const node = prepare()
  return spawnSync(node, [path.join(ROOT, 'trials', program)], { ...options, env: environment(node, {}) })
}

function lastOf(name) {
  const last = kept[name]
  if (last === undefined) return 'It has never run here.'
  return `It ${last.passed ? 'passed' : 'FAILED'} on ${last.day}, at ${last.commit}.`
}

function readKept() {
  try {
    return JSON.parse(fs.readFileSync(KEPT, 'utf8'))
  } catch {
    return {}
  }
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  } catch {
    return 'an unknown commit'
  }
}
