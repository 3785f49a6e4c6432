// Gets from whatever Node and npm are installed to the Node that the project brings along, with everything installed.
// Plain old JavaScript without dependencies: it runs before there is anything else, and on Node 20.
'use strict'

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
/**
 * How the server's Node is started: with a small space for young objects, and a heap that is cleaned up once it has grown by half. Closing a draw of
 * a million entries takes 305 MiB at most, 412 without the first, 461 without the second, 590 without either (trials/bench/close.ts). Left
 * to itself Node lets the heap grow up to fourfold, by chance now and then, and what it took once it keeps (trials/bench/soak.ts).
 */
const SERVER_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50']
/**
 * What the server's process finds set, unless whoever starts it has set it: its threads allocate from one arena of the C library's in place of one
 * each, all of which keep what they ever needed (mallopt(3); trials/bench/soak.ts).
 */
const SERVER_VARIABLES = { MALLOC_ARENA_MAX: '1' }
const OLDEST_NODE = 20
const OLDEST_NPM = 10
/** The Node that everything but these first scripts needs: it runs TypeScript as it is. */
const RUNTIME_NODE = 24
const LOCK = path.join(ROOT, '.cache', 'preparing.lock')

/** Ends with a message that says what to do. */
function fail(message) {
  process.stderr.write('\n' + message + '\n')
  process.exit(1)
}

/**
 * Installs if needed and gives the path of a Node that can run the project.
 * @returns {string}
 */
function prepare() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE)
    fail(
      'Fairball starts from Node ' +
        OLDEST_NODE +
        ' or newer, and this is ' +
        process.version +
        '. Install a newer Node.',
    )
  const missing = whatIsMissing(ROOT)
  if (missing !== null) alone(() => whatIsMissing(ROOT) !== null && install(missing))
  return findNode()
}

/**
 * Installs if needed what a folder outside of the workspaces has a lock file for.
 * @param {string} folder
 * @returns {boolean} whether it is there now
 */
function provideFolder(folder) {
  const missing = whatIsMissing(folder)
  if (missing !== null) alone(() => whatIsMissing(folder) !== null && installIn(folder, missing))
  return whatIsMissing(folder) === null
}

/**
 * Compares what npm says it installed with the lock file: without a stamp of our own, an `npm install` of the user's
 * counts as well, and one that was interrupted does not.
 * @returns {string | null} why an installation is needed, or null
 */
function whatIsMissing(folder) {
  const lock = path.join(folder, 'package-lock.json')
  const wanted = packagesOf(lock)
  if (wanted === null) {
    const name = path.relative(ROOT, lock)
    fail(name + ' is missing or damaged. Restore it: git checkout ' + name)
  }
  const installed = packagesOf(path.join(folder, 'node_modules', '.package-lock.json'))
  if (installed === null) return 'Installing …'
  for (const key of Object.keys(wanted)) {
    if (!key.startsWith('node_modules/') || wanted[key].link || wanted[key].optional) continue
    const found = installed[key]
    if (!found || found.version !== wanted[key].version || found.integrity !== wanted[key].integrity)
      return 'Installing again: ' + key.slice('node_modules/'.length) + ' changed …'
  }
  for (const key of Object.keys(installed))
    // optional ones that are there have to be the right ones
    if (wanted[key] && wanted[key].version !== installed[key].version) return 'Installing again: ' + key + ' changed …'
  return null
}

function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

function install(why) {
  checkNpm()
  if (installIn(ROOT, why)) return linkDatabase()
  if (!isWritable(ROOT))
    fail('The installation failed: this user cannot write ' + ROOT + '. Give it to this user (chown -R).')
  fail('The installation failed; npm says why above. Without network npm needs a warm cache.')
}

/** @returns {boolean} whether npm got through */
function installIn(folder, why) {
  process.stdout.write(why + '\n')
  // With NODE_ENV=production npm would leave out what builds the web. Its warnings are about the Node that installs, not
  // the one that runs. No package runs a script of its own (docs/supply-chain.md).
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'].concat(
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  )
  return npm(args, { cwd: folder, stdio: 'inherit' }).status === 0
}

/**
 * Makes the links that the embedded PostgreSQL's install script would make: who starts the program later may not be allowed to. A start says so if
 * they are missing.
 */
function linkDatabase() {
  const node = findNode()
  spawnSync(node, [path.join(ROOT, 'packages', 'server', 'src', 'db', 'link-embedded-postgres.ts')], {
    env: environment(node),
  })
}

function checkNpm() {
  const result = npm(['--version'], { encoding: 'utf8' })
  const version = result.status === 0 ? result.stdout.trim() : ''
  if (version === '') fail('There is no npm. Install npm ' + OLDEST_NPM + ' or newer.')
  if (Number(version.split('.')[0]) < OLDEST_NPM)
    fail(
      'Fairball needs npm ' +
        OLDEST_NPM +
        ' or newer, and this is ' +
        version +
        '. Update it: npm install --global npm@11',
    )
}

/** The npm that started us, else the one of the path. */
function npm(args, options) {
  const all = Object.assign({ cwd: ROOT }, options)
  const own = process.env.npm_execpath
  if (own && /npm-cli\.c?js$/.test(own) && fs.existsSync(own))
    return spawnSync(process.execPath, [own].concat(args), all)
  return spawnSync('npm', args, all)
}

function findNode() {
  const brought = path.join(ROOT, 'node_modules', '.bin', 'node')
  for (const candidate of [brought, process.execPath, 'node']) {
    const result = spawnSync(candidate, ['--version'], { encoding: 'utf8' })
    const major = result.status === 0 ? Number(/^v(\d+)/.exec(result.stdout)[1]) : 0
    if (major >= RUNTIME_NODE) return candidate
  }
  return fail(
    'There is no Node ' +
      RUNTIME_NODE +
      ' for this computer (' +
      process.platform +
      '-' +
      process.arch +
      ').\n' +
      'The project brings it along as an optional package; if it was left out, run: npm ci --include=optional\n' +
      'Where there is none for the platform, install Node ' +
      RUNTIME_NODE +
      ' or newer and start again with it.',
  )
}

/** Runs `action` while no other copy of these scripts does: two would install or build into the same folders. */
function alone(action) {
  try {
    fs.mkdirSync(path.dirname(LOCK), { recursive: true })
  } catch {
    return action() // a checkout of somebody else's: what the action has to write will say so
  }
  let hasSaid = false
  for (;;) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') return action() // as above
    }
    if (!isRunning(readText(LOCK))) {
      fs.rmSync(LOCK, { force: true })
      continue
    }
    if (!hasSaid) process.stdout.write('Another copy is installing or building; waiting for it …\n')
    hasSaid = true
    pause(200)
  }
  const release = () => fs.rmSync(LOCK, { force: true })
  process.once('exit', release)
  try {
    return action()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isRunning(text) {
  const pid = Number(text)
  if (text === '') return true // being written right now, or just removed
  if (!pid || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The environment under which `node` and the installed programs are the project's own. */
function environment(node, extra) {
  const folders = [path.join(ROOT, 'node_modules', '.bin')]
  if (path.isAbsolute(node)) folders.unshift(path.dirname(node))
  const PATH = folders.concat(process.env.PATH || '').join(path.delimiter)
  return Object.assign({}, process.env, { PATH }, extra)
}

/**
 * Runs a script under the project's Node and ends as it ends. `variables` are set where nothing else is.
 *
 * Signals are passed on. A Ctrl-C reaches every process of the terminal's group, so the child may hear it twice; it takes
 * what comes within half a second for one. The channel between the two tells the child when we are killed.
 */
function become(node, args, variables) {
  const child = spawn(node, args, {
    cwd: ROOT,
    env: Object.assign({}, variables, environment(node)),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail('Node could not be started: ' + error.message))
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status)
    for (const one of signals) process.removeAllListeners(one)
    process.kill(process.pid, signal)
  })
}

module.exports = { ROOT, SERVER_OPTIONS, SERVER_VARIABLES, prepare, provideFolder, become, environment, alone, fail }
