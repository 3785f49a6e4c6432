// Fetches a bitcoin node for the tests: Debian's bitcoin-knots and the libraries it needs, unpacked into a folder of
// the cache, so that it runs on any Linux with the same processor and leaves the system unchanged. For tests only:
// production runs Bitcoin Core.
//   node scripts/bitcoin-node.cjs            prints the path of a bitcoind, fetched first if there is none yet
//   node scripts/bitcoin-node.cjs --update   fetches the newest one; Debian keeps no older ones
// The variable BITCOIND names another bitcoind instead.
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const CACHE = path.join(__dirname, '..', '.cache', 'bitcoin-node')
const PACKAGE = 'bitcoin-knots'
/** Its programs that the tests start; a Lightning node asks the bitcoin node through the second one. */
const PROGRAMS = ['bitcoind', 'bitcoin-cli']
/** Stable Debian has no bitcoind; all packages come from one suite, because its libraries belong together. */
const SUITES = ['forky', 'sid']
const MIRROR = 'http://deb.debian.org/debian'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
/** Timeout for reading the lists of packages, or for fetching 14 MB, in ms. */
const LONGEST_STEP_MS = 5 * 60 * 1000
/** Upper bound of the node's packages, to catch an error in following its dependencies. */
const MAX_PACKAGES = 60

/**
 * The path of a bitcoind that can be started.
 *
 * @param {{ isUpdate?: boolean }} [options]
 * @returns {string}
 * @throws Error with the reason if there is none
 */
function provideNode(options) {
  const named = process.env.BITCOIND
  if (named) {
    if (!fs.existsSync(named)) throw new Error('BITCOIND names ' + named + ', which does not exist.')
    return named
  }
  const cached = cachedNode()
  if (cached !== null && !(options && options.isUpdate)) return cached
  return fetchNode()
}

/** The newest fetched node, or null. */
function cachedNode() {
  const launchers = (fs.existsSync(CACHE) ? fs.readdirSync(CACHE) : [])
    .filter((name) => !name.startsWith('.'))
    .map((name) => path.join(CACHE, name))
    .filter(isComplete)
    .map((folder) => path.join(folder, 'bitcoind'))
  const ageOf = (file) => -fs.statSync(file).mtimeMs
  return launchers.sort((one, other) => ageOf(one) - ageOf(other))[0] || null
}

/** Whether a folder of the cache has all programs; one from before `bitcoin-cli` was needed has not. */
function isComplete(folder) {
  return PROGRAMS.every((program) => fs.existsSync(path.join(folder, program)))
}

function fetchNode() {
  if (process.platform !== 'linux')
    throw new Error('Debian’s node runs on Linux, and this is ' + process.platform + '.')
  for (const program of ['apt-get', 'apt-cache', 'dpkg'])
    if (spawnSync(program, ['--version']).error) throw new Error('There is no ' + program + ' here to fetch it with.')
  const reasons = []
  for (const suite of SUITES) {
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'fairball-node-'))
    try {
      return fetchFrom(suite, scratch)
    } catch (error) {
      reasons.push(suite + ': ' + error.message)
    } finally {
      fs.rmSync(scratch, { recursive: true, force: true })
    }
  }
  throw new Error('It could not be fetched from Debian.\n' + reasons.join('\n'))
}

function fetchFrom(suite, scratch) {
  const apt = aptIn(scratch, suite)
  process.stderr.write('Fetching a bitcoin node for the tests from Debian ' + suite + ' …\n')
  run('apt-get', apt.concat('update', '-q'), scratch)
  const { packages, version } = needed(apt, scratch)
  const folder = path.join(CACHE, version.replace(/[^\w.+~-]/g, '_'))
  if (!isComplete(folder)) {
    run('apt-get', apt.concat('download', '-q', packages), scratch)
    unpack(scratch, folder)
  }
  const launcher = path.join(folder, 'bitcoind')
  const said = run(launcher, ['-version'], scratch).split('\n')[0]
  process.stderr.write(said + '\n')
  fs.utimesSync(launcher, new Date(), new Date()) // the newest one is used
  return launcher
}

/** Options for apt to read one suite of Debian and write only to `scratch`. */
function aptIn(scratch, suite) {
  const { uri, keyring } = debianSource()
  const sources = path.join(scratch, suite + '.sources')
  const lines = ['Types: deb', 'URIs: ' + uri, 'Suites: ' + suite, 'Components: main']
  fs.writeFileSync(sources, lines.concat(keyring === null ? [] : 'Signed-By: ' + keyring).join('\n') + '\n')
  for (const folder of ['lists/partial', 'cache/archives/partial', 'state'])
    fs.mkdirSync(path.join(scratch, folder), { recursive: true })
  const status = path.join(scratch, 'status') // ignores the packages installed on this computer
  fs.writeFileSync(status, '')
  const values = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferences': '-',
    'Dir::Etc::preferencesparts': '-',
    'Dir::State': path.join(scratch, 'state'),
    'Dir::State::lists': path.join(scratch, 'lists'),
    'Dir::State::status': status,
    'Dir::Cache': path.join(scratch, 'cache'),
    'Dir::Cache::pkgcache': 'packages.bin', // container images switch it off, and then every query reads all lists
    'Dir::Cache::srcpkgcache': 'sources.bin',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
    'APT::Update::Error-Mode': 'any',
    'APT::Sandbox::User': os.userInfo().username, // apt's own user cannot read this folder
  }
  return Object.keys(values).flatMap((name) => ['-o', name + '=' + values[name]])
}

/** The Debian mirror of this computer, and the keys to check it with. */
function debianSource() {
  const files = ['/etc/apt/sources.list'].concat(filesIn('/etc/apt/sources.list.d'))
  for (const file of files) {
    const text = readText(file)
    const isStanza = file.endsWith('.sources')
    if (!isStanza && !file.endsWith('.list')) continue
    const uri = (isStanza ? /^URIs:.*?(\S+\/debian)\/?(?:\s|$)/m : /^deb\s.*?(\S+\/debian)\/?\s/m).exec(text)
    if (uri === null) continue
    const keyring = (isStanza ? /^Signed-By:\s*(\/\S+)/m : /signed-by=(\/[^\s\]]+)/).exec(text)
    return { uri: uri[1], keyring: keyring === null ? ownKeyring() : keyring[1] }
  }
  return { uri: MIRROR, keyring: ownKeyring() }
}

function ownKeyring() {
  return fs.existsSync(KEYRING) ? KEYRING : null
}

/** The node and its libraries, with their own dependencies, without those of an installation as a service. */
function needed(apt, scratch) {
  const packages = [PACKAGE]
  let version = ''
  for (let i = 0; i < packages.length; i++) {
    const facts = run('apt-cache', apt.concat('show', '--no-all-versions', packages[i]), scratch)
    if (i === 0) version = /^Version: (\S+)/m.exec(facts)[1]
    for (const [, list] of facts.matchAll(/^(?:Pre-)?Depends: (.*)/gm))
      for (const one of list.split(',')) {
        const name = one.trim().split(/[\s:|(]/)[0]
        if (name.startsWith('lib') && !packages.includes(name)) packages.push(name)
      }
    if (packages.length > MAX_PACKAGES) throw new Error(PACKAGE + ' needs too much: ' + packages.join(', '))
  }
  return { packages, version }
}

/**
 * Unpacks the packages beside their final place and then moves them there, so that an incomplete node is never used.
 */
function unpack(scratch, folder) {
  fs.mkdirSync(CACHE, { recursive: true })
  const making = fs.mkdtempSync(path.join(CACHE, '.making-'))
  try {
    const root = path.join(making, 'root')
    for (const file of fs.readdirSync(scratch).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['--extract', path.join(scratch, file), root], scratch)
    const loader = findLoader(root)
    for (const program of PROGRAMS)
      fs.writeFileSync(path.join(making, program), launcherText(program, path.relative(making, loader)), {
        mode: 0o755,
      })
    fs.chmodSync(making, 0o755)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.renameSync(making, folder)
  } finally {
    fs.rmSync(making, { recursive: true, force: true })
  }
}

/** The dynamic loader, in the folder of its libraries: `usr/lib/<processor>-linux-gnu/ld-linux-….so.2`. */
function findLoader(root) {
  const libraries = path.join(root, 'usr', 'lib')
  for (const folder of fs.readdirSync(libraries).filter((name) => name.endsWith('-linux-gnu')))
    for (const name of fs.readdirSync(path.join(libraries, folder)))
      if (/^ld-linux.*\.so\.\d+$/.test(name)) return path.join(libraries, folder, name)
  throw new Error('there is no loader among the fetched files')
}

/** A script that becomes the program (`exec`), so that stopping its process stops the program. */
function launcherText(program, loader) {
  return [
    '#!/bin/sh',
    '# Debian’s bitcoin-knots with its own libraries, for tests only; written by scripts/bitcoin-node.cjs.',
    'here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)',
    'exec "$here/' + loader + '" --inhibit-cache --library-path "$here/' + path.dirname(loader) + '" \\',
    '  "$here/root/usr/bin/' + program + '" "$@"',
    '',
  ].join('\n')
}

function run(program, args, folder) {
  const options = { cwd: folder, encoding: 'utf8', timeout: LONGEST_STEP_MS, maxBuffer: 64 * 1024 * 1024 }
  const result = spawnSync(program, args, options)
  if (result.error) throw result.error
  if (result.status === 0) return result.stdout
  const said = (result.stderr || result.stdout || '').trim().split('\n').slice(-4).join(' ')
  const action = args.filter((word, i) => word !== '-o' && args[i - 1] !== '-o').slice(0, 2)
  throw new Error(program + ' ' + action.join(' ') + ' failed: ' + said)
}

function filesIn(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : []
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

module.exports = { provideNode }

if (require.main === module) {
  try {
    process.stdout.write(provideNode({ isUpdate: process.argv.includes('--update') }) + '\n')
  } catch (error) {
    process.stderr.write('There is no bitcoin node. ' + error.message + '\n')
    process.exit(1)
  }
}
