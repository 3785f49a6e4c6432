// npm run faults: real processes of the product and a real PostgreSQL, killed, restarted, doubled, out of space,
// without mail; each prints a table in markdown of the tries and the losses, and the exit status is 1 if anything was
// lost. With `-- --count N`, or `-- --full` for the counts of the goals.
//   node scripts/faults.cjs [kills] [restarts] [two-of-each] [disk] [mail] [behind-nginx] [standby]
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { ROOT, environment, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

const FAULTS = ['kills', 'restarts', 'two-of-each', 'disk', 'mail', 'behind-nginx', 'standby']
/** Enough for a cluster, its write-ahead log and a few minutes of load. */
const DISK_SIZE = '640m'

const args = process.argv.slice(2)
const place = args.indexOf('--count')
const flags = args.filter((arg) => arg.startsWith('--') && arg !== '--count')
const options = place < 0 ? flags : flags.concat('--count', args[place + 1] || '')
const names = args.filter((arg, index) => !arg.startsWith('--') && (place < 0 || index !== place + 1))
const unknown = names.filter((name) => !FAULTS.includes(name))
if (unknown.length > 0) {
  process.stderr.write('There is no fault ' + unknown.join(', ') + '. There are ' + FAULTS.join(', ') + '.\n')
  process.exit(1)
}

const node = prepare()
if (!buildWeb(node)) process.exit(1)
let isGood = true
for (const name of names.length > 0 ? names : FAULTS) {
  process.stdout.write('\n## ' + name + '\n\n')
  const program = [node, path.join(ROOT, 'trials/faults', name + '.ts')].concat(options)
  if (name === 'disk' ? !onSmallDisk(program) : !run(program, {})) isGood = false
}
process.exit(isGood ? 0 : 1)

function run(command, extra) {
  const { status } = spawnSync(command[0], command.slice(1), {
    cwd: ROOT,
    env: environment(node, extra),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0
}

/**
 * Runs a program with a small disk in memory, at FAULTS_DISK. It is mounted in the program's own namespace, so it
 * disappears with it, however it ends. Other users than root need a kernel that allows unprivileged namespaces.
 */
function onSmallDisk(program) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairball-disk-'))
  fs.chmodSync(folder, 0o711) // root's database runs as another user
  const mount = 'mount -t tmpfs -o size=' + DISK_SIZE + ',mode=0711 fairball-disk "$FAULTS_DISK"'
  const isRoot = process.getuid && process.getuid() === 0
  const outer = ['unshare', '--mount'].concat(isRoot ? [] : ['--user', '--map-root-user'])
  // The database refuses to run as root, so the user stays the same inside.
  const inner = isRoot
    ? ''
    : 'unshare --user --map-user=' + os.userInfo().uid + ' --map-group=' + os.userInfo().gid + ' '
  const script = (rest) => outer.concat('sh', '-c', mount + ' && exec ' + inner + rest, 'sh')
  const extra = { FAULTS_DISK: folder }
  try {
    if (run(script('true'), extra)) return run(script('"$@"').concat(program), extra)
    process.stderr.write('!!! Left out, a small disk needs Linux, and root or unprivileged namespaces.\n')
    return false
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
