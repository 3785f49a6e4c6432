// Installs the project's packages with any Node and npm, and then switches to the Node among them.
// Plain old JavaScript without dependencies: it runs before anything is installed, and on Node 20.
'use strict'

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')
/**
 * Options of the server's Node: a small space for young objects, and garbage collection once the heap has grown by
 * half. Closing a draw of a million entries takes at most 305 MiB, 412 without the first option, 461 without the
 * second, 590 without both (trials/bench/close.ts). By default Node's heap sometimes grows fourfold, and its memory is
 * not returned (trials/bench/soak.ts).
 */
const SERVER_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50']
/**
 * Default variables of the server's process: its threads share one arena of the C library, because each arena keeps its
 * maximum size (mallopt(3); trials/bench/soak.ts).
 */
const SERVER_VARIABLES = { MALLOC_ARENA_MAX: '1' }
const OLDEST_NODE = 20
const OLDEST_NPM = 10
/** Major version of Node for everything but these first scripts: it runs TypeScript directly. */
const RUNTIME_NODE = 24
const LOCK = path.join(ROOT, '.cache', 'preparing.lock')

/** Ends the process with a message and the remedy. */
function fail(message) {
  process.stderr.write('\n' + message + '\n')
  process.exit(1)
}

/**
 * Installs if needed, and returns the path of a Node that can run the project.
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
 * Installs, if needed, the packages of a folder outside the workspaces that has its own lock file.
 * @param {string} folder
 * @returns {boolean} whether it succeeded
 */
function provideFolder(folder) {
  const missing = whatIsMissing(folder)
  if (missing !== null) alone(() => whatIsMissing(folder) !== null && installIn(folder, missing))
  return whatIsMissing(folder) === null
}

/**
 * Compares npm's own record of the installed packages with the lock file: so an `npm install` by the user counts too,
 * and an interrupted one does not.
 * @returns {string | null} the reason for an installation, or null
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
    if (!key.startsWith('node_modules/') || wanted[key].optional) continue
    if (wanted[key].link) {
      // a workspace that was added since the last installation
      if (fs.existsSync(path.join(folder, wanted[key].resolved)) && !fs.existsSync(path.join(folder, key)))
        return 'Installing again: ' + key.slice('node_modules/'.length) + ' is new …'
      continue
    }
    const found = installed[key]
    if (!found || found.version !== wanted[key].version || found.integrity !== wanted[key].integrity)
      return 'Installing again: ' + key.slice('node_modules/'.length) + ' changed …'
  }
  for (const key of Object.keys(installed))
    // installed optional packages must have the right version
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

/** @returns {boolean} whether npm succeeded */
function installIn(folder, why) {
  process.stdout.write(why + '\n')
  // With NODE_ENV=production npm would skip the packages that build the web. Its warnings concern the Node that
  // installs, not the one that runs. No package runs a script of its own (docs/supply-chain.md).
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'].concat(
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  )
  return npm(args, { cwd: folder, stdio: 'inherit' }).status === 0
}

/**
 * Creates the links that the embedded PostgreSQL's install script would create: the user who starts the program later
 * may lack the rights. A start reports missing links.
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

/** The npm that started this script, else the one on the path. */
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

/** Runs `action` while no other copy of these scripts runs one: two would install or build into the same folders. */
function alone(action) {
  try {
    fs.mkdirSync(path.dirname(LOCK), { recursive: true })
  } catch {
    return action() // not writable: the action will report it when it writes
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
  if (text === '') return true // being written, or just removed
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

/**
 * The environment in which `node` and the installed programs are the project's own. What they compile is kept beside
 * the project, unless NODE_COMPILE_CACHE says where.
 */
function environment(node, extra) {
  const compiled = { NODE_COMPILE_CACHE: path.join(ROOT, '.cache', 'compiled') }
  const folders = [path.join(ROOT, 'node_modules', '.bin')]
  if (path.isAbsolute(node)) folders.unshift(path.dirname(node))
  const PATH = folders.concat(process.env.PATH || '').join(path.delimiter)
  return Object.assign(compiled, process.env, { PATH }, extra)
}

/**
 * Runs a script under the project's Node and ends with its exit status. `variables` are defaults for unset ones.
 *
 * Signals are passed on. A Ctrl-C reaches every process of the terminal's group, so the child may get it twice; it
 * counts signals within half a second as one. The channel between the two closes if this process is killed, which the
 * child notices.
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
