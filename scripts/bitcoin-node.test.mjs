import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const SCRIPTS = import.meta.dirname
const ROOT = join(SCRIPTS, '..')
const VERSION = '30.1.knots20260909-1'
/** Stand-ins for Debian's programs that know one package, which needs one library. Its loader starts any program. */
const GOOD_DEBIAN = {
  'apt-get': `case "$*" in
    *download*) touch bitcoin-knots.deb libc6.deb ;;
  esac`,
  'apt-cache': `case "$*" in
    *bitcoin-knots) printf 'Package: bitcoin-knots\\nVersion: ${VERSION}\\nDepends: libc6 (>= 2.38), adduser\\n' ;;
    *) printf 'Package: libc6\\nVersion: 2.41-1\\n' ;;
  esac`,
  dpkg: `[ "$1" = --extract ] || exit 0
    mkdir -p "$3/usr/bin" "$3/usr/lib/x86_64-linux-gnu"
    case "$2" in
      *knots*) printf '#!/bin/sh\\necho "a node, started with $*"\\n' > "$3/usr/bin/bitcoind"; chmod +x "$3/usr/bin/bitcoind" ;;
      *) printf '#!/bin/sh\\nshift 3\\nexec "$@"\\n' > "$3/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
         chmod +x "$3/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" ;;
    esac`,
}
/** The same without a network. */
const NO_NETWORK = {
  ...GOOD_DEBIAN,
  'apt-get': `case "$*" in
    *update*) echo "E: Temporary failure resolving 'deb.debian.org'" >&2; exit 100 ;;
  esac`,
}

/** A checkout of this project with an empty cache, on a computer with these Debian programs. */
function checkout(debian) {
  const root = mkdtempSync(join(tmpdir(), 'fairball-checkout-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true })
  for (const name of ['node_modules', 'packages', 'package.json', 'package-lock.json'])
    symlinkSync(join(ROOT, name), join(root, name))
  for (const [name, text] of Object.entries(debian)) plant(join(root, 'bin', name), `#!/bin/sh\n${text}\n`)
  return {
    root,
    cache: join(root, '.cache', 'bitcoin-node'),
    run(script, args = [], extra = {}) {
      const { PATH, HOME } = process.env
      const env = { HOME, PATH: `${join(root, 'bin')}${delimiter}${PATH}`, ...extra }
      const options = { cwd: root, env, encoding: 'utf8', timeout: 60_000 }
      return spawnSync(process.execPath, [join(root, 'scripts', script), ...args], options)
    },
  }
}

function plant(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

describe('the node of the tests', () => {
  it('the node is the one that BITCOIND names', () => {
    const { run, root } = checkout(NO_NETWORK)
    plant(join(root, 'my-bitcoind'), '#!/bin/sh\n')
    const BITCOIND = join(root, 'my-bitcoind')
    expect(run('bitcoin-node.cjs', [], { BITCOIND })).toMatchObject({ status: 0, stdout: `${BITCOIND}\n` })
    const missing = run('bitcoin-node.cjs', [], { BITCOIND: '/nowhere/bitcoind' })
    expect(missing).toMatchObject({ status: 1, stdout: '' })
    expect(missing.stderr).toBe('There is no bitcoin node. BITCOIND names /nowhere/bitcoind, which does not exist.\n')
  })

  it('the node is fetched from Debian once, and then taken from the cache', () => {
    const { run, cache } = checkout(GOOD_DEBIAN)
    const launcher = join(cache, VERSION, 'bitcoind')
    const fetched = run('bitcoin-node.cjs')
    expect(fetched).toMatchObject({ status: 0, stdout: `${launcher}\n` })
    expect(fetched.stderr).toContain('a node, started with -version')
    expect(spawnSync(launcher, ['-regtest', 'a b'], { encoding: 'utf8' }).stdout).toBe(
      'a node, started with -regtest a b\n',
    )
    expect(run('bitcoin-node.cjs')).toMatchObject({ status: 0, stdout: `${launcher}\n`, stderr: '' })
  })

  it('the node is the newest in the cache, and never an incomplete one', () => {
    const { run, cache } = checkout(NO_NETWORK)
    for (const [name, at] of [
      ['29.4', 1_000],
      ['30.1', 3_000],
      ['29.5', 2_000],
      ['.making-x', 9_000],
    ]) {
      for (const program of ['bitcoind', 'bitcoin-cli']) plant(join(cache, name, program), '#!/bin/sh\n')
      utimesSync(join(cache, name, 'bitcoind'), at, at)
    }
    expect(run('bitcoin-node.cjs').stdout).toBe(`${join(cache, '30.1', 'bitcoind')}\n`)
  })

  it('fetching without a network fails with the reason', () => {
    const { status, stdout, stderr } = checkout(NO_NETWORK).run('bitcoin-node.cjs')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('There is no bitcoin node. It could not be fetched from Debian.')
    for (const suite of ['forky', 'sid']) expect(stderr).toContain(`${suite}: apt-get update -q failed: E: Temporary`)
  })
})

describe('npm run test:bitcoin without a node', () => {
  it('the tests are skipped with one loud line', () => {
    const { status, stdout, stderr } = checkout(NO_NETWORK).run('test.cjs', ['bitcoin'])
    expect(stderr.split('\n').filter((line) => line.startsWith('!!! '))).toEqual([
      expect.stringContaining('THE TESTS ON A REAL BITCOIN NODE ARE LEFT OUT: It could not be fetched from Debian.'),
    ])
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 0 failed')
    expect(status).toBe(0)
  })

  it('a missing node fails in continuous integration', () => {
    const { status, stdout, stderr } = checkout(NO_NETWORK).run('test.cjs', ['bitcoin'], { CI: 'true' })
    expect(stderr).toContain('It could not be fetched from Debian.')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(status).toBe(1)
  })
})
